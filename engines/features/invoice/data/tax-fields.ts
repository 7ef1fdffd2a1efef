import * as z from 'zod'
import { lineField } from './fields'
import { inForm } from '../../../options/form-hints'

/** Categories of VAT (UNTDID 5305, as in EN 16931) with their names. */
export const TAX_CATEGORIES = {
  S: 'Standard or reduced rate',
  Z: 'Zero rate',
  E: 'Exempt',
  AE: 'Reverse charge',
  K: 'Intra-community supply',
  G: 'Export outside the EU',
  O: 'Not subject to VAT',
  L: 'Canary Islands (IGIC)',
  M: 'Ceuta and Melilla (IPSI)',
} as const

export type TaxCategory = keyof typeof TAX_CATEGORIES

// The object literal has exactly these keys.
const CODES = Object.keys(TAX_CATEGORIES) as [TaxCategory, ...TaxCategory[]]

/** Returns whether a text is one of these categories. */
export function isTaxCategory(text: string | undefined): text is TaxCategory {
  return text !== undefined && Object.hasOwn(TAX_CATEGORIES, text)
}

/** Categories without a rate above 0. */
const UNTAXED: ReadonlySet<string> = new Set<TaxCategory>(['Z', 'E', 'AE', 'K', 'G', 'O'])

/** Returns whether a category has no tax. */
export function isUntaxed(category: string | undefined): boolean {
  return category !== undefined && UNTAXED.has(category)
}

/** A category of VAT. */
export function taxCategoryField(meaning: string) {
  return z
    .enum(CODES)
    .describe(
      `${meaning} \`S\`: standard or reduced rate. \`Z\`: zero rate. \`E\`: exempt. \`AE\`: reverse charge. \`K\`: ` +
        'intra-community supply. `G`: export outside the EU. `O`: not subject to VAT. `L`: IGIC. `M`: IPSI.',
    )
    .meta(inForm({ label: 'VAT category', choices: TAX_CATEGORIES }))
}

/** Why a category has no tax. */
export const taxExemptionsField = z
  .array(
    z.object({
      category: taxCategoryField('VAT category.'),
      reason: lineField('Reason in words, printed on the invoice.').optional(),
      reasonCode: lineField('Code of the VATEX list, such as `VATEX-EU-132`.').optional(),
    }),
  )
  .max(CODES.length)
  .optional()
  .describe('Reasons why a VAT category has no tax. `E` requires a reason. `AE`, `K`, `G` and `O` have one by default.')
