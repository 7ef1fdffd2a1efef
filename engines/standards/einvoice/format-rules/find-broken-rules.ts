import type { RuleSet } from '../formats'
import type { ElectronicInvoice } from '../model'
import { ADJUSTMENT_RULES } from '../rules/adjustments'
import { CATEGORY_RULES } from '../rules/categories'
import { CODE_RULES } from '../rules/codes'
import { DECIMAL_RULES } from '../rules/decimals'
import { dateRule } from '../rules/dates'
import { FACTUR_X_BASIC_RULES } from './factur-x'
import { listExtendedRules } from './factur-x-extended'
import { ITEM_RULES } from '../rules/items'
import { PAYMENT_RULES } from '../rules/payments'
import { PEPPOL_RULES } from './peppol'
import { PRESENCE_RULES } from '../rules/presence'
import type { BrokenRule, Rule, RuleContext } from '../rules/rule'
import { TOTAL_RULES } from '../rules/totals'
import { XRECHNUNG_RULES } from './xrechnung'

/** The rules of EN 16931, which every format includes. */
const EN16931_RULES: readonly Rule[] = [
  ...PRESENCE_RULES,
  ...PAYMENT_RULES,
  ...ADJUSTMENT_RULES,
  ...ITEM_RULES,
  ...TOTAL_RULES,
  ...CATEGORY_RULES,
  ...CODE_RULES,
  ...DECIMAL_RULES,
  dateRule('CII-DT-097', 'cii'),
]

const RULES: Readonly<Record<RuleSet, readonly Rule[]>> = {
  en16931: EN16931_RULES,
  xrechnung: [...EN16931_RULES, ...XRECHNUNG_RULES],
  peppol: [...EN16931_RULES, ...PEPPOL_RULES],
  'facturx-basic': [...EN16931_RULES, ...FACTUR_X_BASIC_RULES],
  'facturx-en16931': EN16931_RULES,
  'facturx-extended': listExtendedRules(EN16931_RULES),
}

/**
 * Returns the rules that an invoice breaks, with the parameters that break them. Rules that only concern the syntax are
 * left out, because the writers can't break them.
 */
export function findBrokenRules(invoice: ElectronicInvoice, context: RuleContext): BrokenRule[] {
  const broken: BrokenRule[] = []
  for (const { id, check } of RULES[context.ruleSet])
    check(invoice, (param, message) => broken.push({ rule: id, param, message }), context)
  return broken
}
