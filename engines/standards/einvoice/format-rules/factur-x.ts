import { orZero } from '../rules/numbers'
import type { Rule } from '../rules/rule'

/** Rules of Factur-X BASIC, whose totals have no rounding amount (Factur-X 1.0, BASIC). */
export const FACTUR_X_BASIC_RULES: readonly Rule[] = [
  {
    id: 'FX-BASIC',
    check({ totals }, report) {
      if (!orZero(totals.rounding).eq(0))
        report('roundingAmount', 'is not part of Factur-X BASIC. Send the profile en16931.')
    },
  },
]
