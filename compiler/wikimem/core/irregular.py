"""Irregular English forms: what no stemmer brings together, `bought` and `buy`, `docs` and `documentation`. A closed list,
not a dictionary: of short forms only those that developers use for one thing (`doc`, not `app` or `dev`).
"""

from __future__ import annotations

from collections.abc import Mapping

_FORMS = """
    arise arose arisen; awake awoke awoken; beat beaten; become became; begin began begun; bend bent; bind bound;
    bite bit bitten; bleed bled; blow blew blown; break broke broken; breed bred; bring brought; build built; burn burnt;
    buy bought; catch caught; choose chose chosen; cling clung; come came; creep crept; deal dealt; dig dug; draw drew drawn;
    dream dreamt; drink drank drunk; drive drove driven; eat ate eaten; fall fell fallen; feed fed; feel felt; fight fought;
    find found; flee fled; fly flew flown; forbid forbade forbidden; forget forgot forgotten; forgive forgave forgiven;
    freeze froze frozen; get got gotten; give gave given; go went gone; grow grew grown; hang hung; hear heard; hide hid hidden;
    hold held; keep kept; kneel knelt; know knew known; lay laid; lead led; leap leapt; learn learnt; leave left; lend lent;
    lose lost; make made; mean meant; meet met; pay paid; ride rode ridden; ring rang rung; rise rose risen; run ran; say said;
    see saw seen; seek sought; sell sold; send sent; sew sewn; shake shook shaken; shine shone; shoot shot; show shown;
    shrink shrank shrunk; sing sang sung; sink sank sunk; sit sat; sleep slept; slide slid; speak spoke spoken; speed sped;
    spend spent; spin spun; spoil spoilt; spring sprang sprung; stand stood; steal stole stolen; stick stuck; sting stung;
    strike struck; strive strove striven; swear swore sworn; sweep swept; swim swam swum; swing swung; take took taken;
    teach taught; tear tore torn; think thought; throw threw thrown; understand understood; wake woke woken; wear wore worn;
    weave wove woven; weep wept; win won; wind wound; withdraw withdrew withdrawn; write wrote written; overwrite overwrote
    overwritten; rewrite rewrote rewritten; undo undid undone; redo redid redone; rebuild rebuilt; rerun reran;
    child children; foot feet; goose geese; life lives; knife knives; wife wives; half halves; shelf shelves;
    man men; mouse mice; person people; tooth teeth; woman women; wolf wolves; index indices; matrix matrices; vertex vertices;
    argument arg args; authentication auth; command cmd cmds; configuration config configs; database db dbs; dependency dep deps;
    directory dir dirs folder folders subdir subdirs subdirectory subfolder; documentation doc docs; environment env envs;
    function func funcs; implementation impl; library lib libs; message msg msgs; package pkg pkgs; parameter param params;
    production prod; repository repo repos; specification spec specs; temporary tmp
"""

FORMS: Mapping[str, str] = {
    form: first for first, *forms in (line.split() for line in _FORMS.replace("\n", " ").split(";")) for form in forms
}
"""Each form with the word that a dictionary lists it under."""
