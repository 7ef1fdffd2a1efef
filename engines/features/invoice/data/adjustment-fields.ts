import * as z from 'zod'
import { fractionField, lineField, numberField } from './fields'
import { taxesField } from './named-taxes'
import { taxCategoryField } from './tax-fields'

const MAX_ADJUSTMENTS = 100

const amounts = {
  amount: numberField('Amount, in `currency`. Default: `rate` × `base`.').optional(),
  rate: fractionField('rate', 'Part of `base`.').optional(),
}

function checkAmount({ amount, rate }: { amount?: number | undefined; rate?: number | undefined }): boolean {
  return amount !== undefined || rate !== undefined
}

const ONE_AMOUNT = 'must have amount or rate.'

function itemAdjustment(codes: string) {
  return z
    .object({
      ...amounts,
      base: numberField('Amount that `rate` refers to. Default: quantity × unit price.').optional(),
      reason: lineField('Reason in words, printed on the invoice.').optional(),
      reasonCode: lineField(`Code of the reason: ${codes}.`).optional(),
    })
    .refine(checkAmount, ONE_AMOUNT)
}

function documentAdjustment(codes: string) {
  return z
    .object({
      ...amounts,
      base: numberField('Amount that `rate` refers to. Default: the sum of the line items.').optional(),
      reason: lineField('Reason in words, printed on the invoice.').optional(),
      reasonCode: lineField(`Code of the reason: ${codes}.`).optional(),
      taxRate: fractionField('taxRate', "Tax rate. Default: the invoice's `taxRate`.").optional(),
      taxCategory: taxCategoryField("VAT category. Default: the invoice's `taxCategory`.").optional(),
      taxes: taxesField("Taxes, if there are several. Default: the invoice's `taxes`."),
    })
    .refine(checkAmount, ONE_AMOUNT)
}

const ALLOWANCE_CODES = 'UNTDID 5189, such as `95` for a discount'
const CHARGE_CODES = 'UNTDID 7161, such as `FC` for freight'

const list = <T extends z.ZodType>(schema: T) => z.array(schema).max(MAX_ADJUSTMENTS).optional()

/** Allowances of an item. */
export const itemAllowancesField = list(itemAdjustment(ALLOWANCE_CODES)).describe(
  'Further allowances, subtracted from the item. `discount` is the short form for one of them.',
)

/** Charges of an item. */
export const itemChargesField = list(itemAdjustment(CHARGE_CODES)).describe('Charges, added to the item.')

/** Allowances of the whole invoice. */
export const allowancesField = list(documentAdjustment(ALLOWANCE_CODES)).describe(
  'Allowances on the whole invoice, each at one tax rate. `discount` is the short form for all rates.',
)

/** Charges of the whole invoice. */
export const chargesField = list(documentAdjustment(CHARGE_CODES)).describe(
  'Charges on the whole invoice, each at one tax rate. `shipping` is the short form for freight.',
)
