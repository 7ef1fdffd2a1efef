import type { Scene } from '../content/scene'
import { inAllParts } from '../rules'
import type { Rule } from '../rules'

/** All operators of content streams (ISO 32000-1, annex A). PDF 1.4 has the same ones. */
const OPERATORS = new Set(
  (
    'b B b* B* BDC BI BMC BT BX c cm CS cs d d0 d1 Do DP EI EMC ET EX f F f* G g gs h i ID j J K k l m M MP n q Q re ' +
    `RG rg ri s S SC sc SCN scn sh T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz v w W W* y ' "`
  ).split(' '),
)

/** Maximum number of open `q` (ISO 32000-1, table C.1). */
const MOST_SAVED = 28

/** Rules on every operator. */
export const OPERATOR_RULES: Rule<string>[] = [
  {
    in: inAllParts('6.2.10-1', '6.2.2-1'),
    message: 'Content streams must only contain operators that the PDF standard defines.',
    check: operator => (OPERATORS.has(operator) ? undefined : `operator ${operator}`),
  },
]

/** Rules on the operator `q`. */
export const SAVE_RULES: Rule<Scene>[] = [
  {
    in: inAllParts('6.1.12-8', '6.1.13-8'),
    message: 'The graphics state must not be saved more than 28 times without being restored.',
    check: ({ nesting }) => (nesting > MOST_SAVED ? `level ${nesting}` : undefined),
  },
]
