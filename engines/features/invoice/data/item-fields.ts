import * as z from 'zod'
import { itemAllowancesField, itemChargesField } from './adjustment-fields'
import { dateField, discountField, fractionField, lineField, nameField, numberField, textField } from './fields'
import { taxesField } from './named-taxes'
import { countryField, identifierField } from './party-fields'
import { periodField } from './reference-fields'
import { taxCategoryField } from './tax-fields'
import { inForm } from '../../../options/form-hints'

const MAX_CLASSIFICATIONS = 20
const MAX_ATTRIBUTES = 50

const text = (meaning: string) => lineField(meaning).optional()

const classification = z.object({
  id: nameField('Code of the class.'),
  scheme: lineField('Code of UNTDID 7143, such as `STI` for UNSPSC.').optional(),
  version: text('Version of the classification.'),
})

/** An item of an invoice. */
export const itemFields = z
  .object({
    description: textField('Description of the product or service.'),
    quantity: numberField('Quantity. Decimals are allowed. Use negative numbers for items that you refund.'),
    rate: numberField('Unit price, in `currency`.').meta(inForm({ label: 'Unit price' })),
    unit: text('Unit of the quantity, such as `h` or `kg`.'),
    discount: discountField('Discount on this item.').optional(),
    taxRate: fractionField('taxRate', "Tax rate of this item. Default: the invoice's `taxRate`.").optional(),
    details: textField('Details in small type below the description.').optional(),
    date: dateField('Date of delivery or service.').optional(),
    sku: text('SKU, printed before the details.'),
    unitCode: text(
      'Code of the unit in UN/ECE Recommendation 20, such as `HUR`. Default: the code of common units in `unit`.',
    ),
    taxCategory: taxCategoryField("VAT category of this item. Default: the invoice's `taxCategory`.").optional(),
    taxes: taxesField("Taxes of this item, if there are several. Default: the invoice's `taxes`."),
    grossPrice: numberField('Unit price before a price reduction. `rate` is the price after it.').optional(),
    priceBase: numberField('Number of units that `rate` is for. Default: 1.')
      .refine(value => value > 0, 'must be greater than 0.')
      .optional(),
    allowances: itemAllowancesField,
    charges: itemChargesField,
    period: periodField('Period of the service.'),
    note: textField('Note on this item.').optional(),
    lineId: text('Number of the line. Default: its position. `positionNumbers` prints it.'),
    section: text(
      'Heading of a section, printed above the first item that has it. Items without a heading belong to the section ' +
        'above them. Only on the page: EN 16931 has no sections.',
    ),
    orderLine: text("Line of the buyer's order."),
    buyerItemId: text('Item number of the buyer.'),
    standardItemId: identifierField(
      'Standard identifier of the item, such as a GTIN.',
      'ISO 6523, such as `0160`',
    ).optional(),
    classifications: z.array(classification).max(MAX_CLASSIFICATIONS).optional().describe('Classes of the item.'),
    originCountry: countryField('Country of origin.').optional(),
    attributes: z
      .array(z.object({ name: nameField('Name, such as `Color`.'), value: nameField('Value, such as `Black`.') }))
      .max(MAX_ATTRIBUTES)
      .optional()
      .describe('Properties of the item, printed with the details.'),
    invoicedObject: identifierField('Object that the line is for, such as a meter.', 'UNTDID 1153').optional(),
    accountingReference: text('Cost center or account of the buyer.'),
  })
  .describe(
    'Line item. Its amount is `quantity` × `rate` minus the discount and allowances plus charges, rounded to the ' +
      'currency.',
  )
