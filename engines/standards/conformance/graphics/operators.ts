import type { StreamWalk } from '../../../pdf/walk-content'
import { inAllParts } from '../examination/rules'
import type { Rule } from '../examination/rules'

/** Kind of an operator: one that these rules don't look at. */
export const OTHER = 0
/** Kind of an operator: fills. Also a flag of what is painted. */
export const FILL = 1
/** Kind of an operator: strokes. Also a flag of what is painted. */
export const STROKE = 2
/** Kind of an operator: shows text. */
export const SHOW = 4
/** Kind of an operator: sets the color space for fills. */
export const SET_FILL = 8
/** Kind of an operator: sets the color space for strokes. */
export const SET_STROKE = 16
/** Kind of an operator: changes the state or uses a resource. */
const USE = 32

/** All operators of content streams by kind (ISO 32000-1, annex A). PDF 1.4 has the same ones. */
const OPERATORS: [kind: number, operators: string][] = [
  [OTHER, 'BMC BT BX c cm d d0 d1 EI EMC ET EX h i ID j J l m M MP n re SC sc'],
  [OTHER, 'T* Tc Td TD TL Tm Tr Ts Tw Tz v w W W* y'],
  [FILL, 'f F f*'],
  [STROKE, 's S'],
  [FILL | STROKE, 'b B b* B*'],
  [SHOW, `Tj TJ ' "`],
  [SET_FILL, 'g rg k cs scn'],
  [SET_STROKE, 'G RG K CS SCN'],
  [USE, 'BDC BI Do DP gs q Q ri sh Tf'],
]

const KINDS = new Map(
  OPERATORS.flatMap(([kind, operators]) => operators.split(' ').map(operator => [operator, kind] as const)),
)

/** The kind of an operator. Undefined if the PDF standard doesn't define it. */
export function kindOf(operator: string): number | undefined {
  return KINDS.get(operator)
}

/** What each text rendering mode paints (ISO 32000-1, table 106). */
const MODES = [FILL, STROKE, FILL | STROKE, 0, FILL, STROKE, FILL | STROKE, 0]

/** What an operator paints, as flags: `FILL`, `STROKE`, both, or nothing. */
export function paintedBy(kind: number, renderMode: number): number {
  return kind === SHOW ? (MODES[renderMode] ?? 0) : kind & (FILL | STROKE)
}

/** Maximum number of open `q` (ISO 32000-1, table C.1). */
const MOST_SAVED = 28

/** Rules on every operator. */
export const OPERATOR_RULES: Rule<string>[] = [
  {
    in: inAllParts('6.2.10-1', '6.2.2-1'),
    message: 'Content streams must only contain operators that the PDF standard defines.',
    check: operator => (KINDS.has(operator) ? undefined : `operator ${operator}`),
  },
]

/** Rules on the operator `q`. */
export const SAVE_RULES: Rule<StreamWalk>[] = [
  {
    in: inAllParts('6.1.12-8', '6.1.13-8'),
    message: 'The graphics state must not be saved more than 28 times without being restored.',
    check: ({ nesting }) => (nesting > MOST_SAVED ? `level ${nesting}` : undefined),
  },
]
