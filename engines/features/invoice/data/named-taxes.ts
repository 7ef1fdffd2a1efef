import * as z from 'zod'
import { fractionField, nameField } from './fields'
import type { Invoice } from './invoice'

/** Maximum number of taxes on one amount. */
const MAX_TAXES = 10

/** Maximum length of the name of a tax, as of a label. */
const MAX_NAME = 100

/** The name of a tax, as the invoice shows it. */
export function taxNameField(meaning: string) {
  return nameField(meaning, MAX_NAME).transform(name => name.trim())
}

const namedTax = z.object({
  name: taxNameField('Name of the tax, such as `CGST`.'),
  rate: fractionField('rate', 'Rate of the tax.'),
})

/** A tax with a name, beside others on the same amount. */
export type NamedTax = z.output<typeof namedTax>

/** Several taxes on one amount. */
export function taxesField(meaning: string) {
  return z
    .array(namedTax)
    .max(MAX_TAXES)
    .superRefine((taxes, context) => {
      for (const [index, { name }] of taxes.entries())
        if (taxes.findIndex(tax => tax.name === name) < index)
          context.addIssue({
            code: 'custom',
            path: [index, 'name'],
            message: `must differ from the names before it. Got ${JSON.stringify(name)} twice. Add up their rates.`,
          })
    })
    .optional()
    .describe(`${meaning} Send them in place of \`taxRate\` and \`taxCategory\`.`)
}

/** What has a tax of its own: the invoice, an item, shipping, an allowance or a charge. */
export interface Taxed {
  /** Prefix of its parameters, such as `items[0].`. Empty for the invoice. */
  prefix: string
  taxed: Pick<Invoice, 'taxRate' | 'taxCategory' | 'taxes'>
}

/** Lists what has a tax of its own. */
export function listTaxed(invoice: Invoice): Taxed[] {
  const { items, shipping, allowances = [], charges = [] } = invoice
  const list = (name: string, all: readonly Taxed['taxed'][]): Taxed[] =>
    all.map((taxed, index) => ({ prefix: `${name}[${index}].`, taxed }))
  return [
    { prefix: '', taxed: invoice },
    ...(shipping ? [{ prefix: 'shipping.', taxed: shipping }] : []),
    ...list('items', items),
    ...list('allowances', allowances),
    ...list('charges', charges),
  ]
}
