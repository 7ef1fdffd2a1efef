import * as z from 'zod'
import { fractionField, numberField } from './fields'
import { taxNameField } from './named-taxes'

const MAX_WITHHELD = 10

const withheldTax = z.object({
  name: taxNameField('Name of the tax, such as `IRPF`. Default: the label `withholding`.').optional(),
  rate: fractionField('rate', 'Part of `base`.'),
  base: numberField('Amount that `rate` refers to. Default: the total without tax.').optional(),
})

/** Taxes that the buyer withholds and pays for the seller. */
export const withholdingField = z
  .array(withheldTax)
  .max(MAX_WITHHELD)
  .optional()
  .describe(
    'Taxes that the buyer withholds, such as IRPF, ritenuta d’acconto or TDS. They reduce the amount due, but not the ' +
      'total.',
  )
