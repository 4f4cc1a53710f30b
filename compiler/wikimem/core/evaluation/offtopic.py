"""Off-topic questions: a hundred, of which a memory of other things should know nothing. Not a sample of what people ask.

The first twenty chose the floor of `core.ranking`; the others were written afterwards and used for nothing else.
A memory that happens to be about one of these subjects answers it, and rightly.
"""

from __future__ import annotations

CHOSEN_ON = tuple(
    """
How do I configure an nginx reverse proxy for websockets?
What is the boiling point of ethanol at sea level?
Which Kubernetes version did we pin in the staging cluster?
When was the treaty of Westphalia signed?
How many moons does Jupiter have?
What did the auditors say about the depreciation schedule of the forklifts?
Who won the chess world championship in 1972?
What is the time complexity of heapsort?
Which port does the Postgres replica listen on?
How do you say good morning in Finnish?
What is the recommended torque for the rear axle bolts?
Why did the Gradle build fail on the release branch?
What are the side effects of amoxicillin?
How long does it take to fly from Lima to Auckland?
What was the closing price of copper futures last week?
Which tax form does a sole proprietor file in Ohio?
When does the customs office in Rotterdam open?
What is the best fertilizer for acidic clay soil in vineyards?
How is photosynthesis different in cactus plants?
Where did the Vikings build their first settlement in Greenland?
""".strip().splitlines()
)

HELD_OUT = tuple(
    """
How do I rotate the TLS certificates on the mail gateway?
What is the melting temperature of tungsten?
Which teams were relegated from the Bundesliga last season?
Who wrote the libretto of The Magic Flute?
How much notice must a landlord give in Scotland?
What did the hydrologist report about the groundwater level?
Why does the parser crash on empty Unicode strings?
When did Portugal join the European Union?
How do you remove rust from a cast iron pan?
Which voltage does the compressor need?
What is the difference between a mutex and a semaphore?
How many calories are in a hundred grams of lentils?
Where is the invoice for the June shipment of ball bearings?
What does the warranty of the dishwasher exclude?
Which glacier feeds the Rhone?
How was the bridge over the Tay rebuilt after the collapse?
What is the exchange rate of the zloty?
Did the migration of the billing schema finish before the deadline?
What speed is allowed on Belgian motorways?
How are neutrons detected in a scintillator?
How is parmesan aged and for how long?
Which river forms the border between Thailand and Laos?
Who discovered the moons of Mars?
What is the gestation period of an elephant?
When does the duck season open in Manitoba?
How thick is the ice of Lake Baikal in February?
Which amendment abolished the poll tax?
What are the rules of offside in water polo?
How do I descale an espresso boiler?
Who painted the ceiling of the Palais Garnier?
What is the tensile strength of spider silk?
How deep must fence posts be sunk in clay?
Which vaccine is given against yellow fever?
How many strings has a theorbo?
What did the surveyor write about the damp in the cellar?
When was the Suez canal nationalised?
How is saffron harvested in Kashmir?
Which enzyme breaks down lactose?
What is the salary cap of the hockey league?
How long do axolotls live in captivity?
Who commanded the fleet at Lepanto?
What is the import duty on ceramic tiles?
How do beekeepers treat varroa mites?
Which bolt pattern do the wheels of the tractor have?
What causes the aurora to be green?
When is the next solar eclipse over Iceland?
How is the alcohol content of cider measured?
Who translated Gilgamesh into Hungarian?
What is the minimum wage in Luxembourg?
Which knots do arborists use?
How many vertebrae has a giraffe's neck?
What is the penalty for overstaying a visa in Oman?
Where are the archives of the Hanseatic League kept?
How do you tune a harpsichord in meantone?
Which mushroom is mistaken for the chanterelle?
What is the flash point of kerosene?
How was Angkor Wat supplied with water?
Who holds the record in the women's triple jump?
What is the dosage of ivermectin for sheep?
Which orchid smells of chocolate?
How high is the tide at Saint-Malo?
What was the verdict in the Dreyfus affair?
When do storks leave Poland?
How is a Stradivarius varnished?
Which gas fills the bladder of a fish?
What are the ingredients of garum?
How many seats has the Knesset?
Who designed the Sydney harbour bridge?
What is the half-life of cobalt 60?
Which breed of goat gives cashmere?
How do glaciologists drill ice cores?
What is the vineyard yield per hectare in Rioja?
When was the metric system adopted in Brazil?
Which dialect is spoken in Bergamo?
How do pearl divers equalise pressure?
What is the depth of the Mariana trench?
Who succeeded Charlemagne in Aquitaine?
Which tyre pressure suits a recumbent trike?
How is vellum made from calfskin?
What is the boiling point of liquid nitrogen?
""".strip().splitlines()
)

QUESTIONS = (*CHOSEN_ON, *HELD_OUT)
