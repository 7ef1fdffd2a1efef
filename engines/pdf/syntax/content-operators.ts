/** All operators of content streams (ISO 32000-2, annex A). */
export const CONTENT_OPERATORS: ReadonlySet<string> = new Set(
  (
    'b B b* B* BDC BI BMC BT BX c cm CS cs d d0 d1 Do DP EMC ET EX f F f* G g gs h i j J K k l m M MP n q Q re RG rg ' +
    'ri s S SC sc SCN scn sh T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz v w W W* y \' "'
  ).split(' '),
)

/** The operators that paint a path. */
export const PATH_PAINTING_OPERATORS: ReadonlySet<string> = new Set(['S', 's', 'f', 'F', 'f*', 'B', 'B*', 'b', 'b*'])

/** The operators that show text. */
export const TEXT_SHOWING_OPERATORS: ReadonlySet<string> = new Set(['Tj', 'TJ', "'", '"'])
