import * as z from 'zod'
import { boundedText } from '../../../options/bounded-text'
import { dataUri, encodedText, fileOption } from '../../../options/file-input'
import { inForm } from '../../../options/form-hints'
import { drawnTextOption, fractionProblem } from '../../../options/schemas'
import { checked } from '../../../options/checks'

/** Maximum length of a text. */
const MAX_TEXT = 2000

/** Maximum length of notes and terms. */
export const MAX_LONG_TEXT = 20_000

/** Exclusive limit for the absolute value of amounts, prices and quantities. */
const MAX_AMOUNT = 1e12

const AMOUNT_BOUNDS = { exclusiveMinimum: -MAX_AMOUNT, exclusiveMaximum: MAX_AMOUNT }

/** A single line of text. */
export function lineField(meaning: string, max = MAX_TEXT) {
  return drawnTextOption(meaning, { max }).describe(meaning)
}

/** A single line of text that must not be empty. */
export function nameField(meaning: string, max?: number) {
  return lineField(meaning, max)
    .refine(value => value.trim() !== '', 'must not be empty.')
    .meta({ minLength: 1 })
}

/** Text of several lines. */
export function textField(meaning: string, max = MAX_TEXT) {
  return drawnTextOption(meaning, { max, hasLines: true }).describe(`${meaning} Line feeds start new lines.`)
}

/** An amount, price or quantity with any sign. */
export function numberField(meaning: string) {
  return z
    .number()
    .superRefine(
      checked(value =>
        Math.abs(value) < MAX_AMOUNT
          ? undefined
          : `must be greater than -1,000,000,000,000 and less than 1,000,000,000,000. Got ${value}.`,
      ),
    )
    .meta(AMOUNT_BOUNDS)
    .describe(meaning)
}

/** A fraction from 0 to 1. */
export function fractionField(name: string, meaning: string) {
  return z
    .number()
    .superRefine(checked(fractionProblem))
    .meta({ minimum: 0, maximum: 1 })
    .describe(`${meaning} Send a fraction, such as 0.1 for 10%.`)
}

/** A calendar date. */
export function dateField(meaning: string) {
  return boundedText(40)
    .superRefine(
      checked(value =>
        isDay(value) ? undefined : `must be an existing date as YYYY-MM-DD. Got ${JSON.stringify(value.slice(0, 40))}.`,
      ),
    )
    .meta({ format: 'date' })
    .describe(`${meaning} YYYY-MM-DD.`)
}

/** Returns whether a text is an existing calendar date. The parsed date must have the same text. */
function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === text
}

const ambiguous = (value: number) =>
  `${value} is ambiguous: a rate or an amount. Send {"rate": ${value}} for ` +
  `${Number((value * 100).toPrecision(12))} %, or {"amount": ${value}}.`

/** A discount: a fraction of the base amount, or an amount of money. The output is `{rate}` or `{amount}`. */
export function discountField(meaning: string) {
  const plain = z
    .number()
    .meta({ ...AMOUNT_BOUNDS, ...inForm({ title: 'Amount' }) })
    .transform((amount, context) => {
      if (amount > 0 && amount < 1) context.addIssue({ code: 'custom', message: ambiguous(amount) })
      return { amount }
    })
  const amount = numberField('Amount of the discount, in `currency`.')
  const rate = fractionField('rate', 'Discount as a part of the full amount.')
  return z
    .union([
      plain.pipe(z.object({ amount })),
      z.object({ rate }).meta(inForm({ title: 'Fraction' })),
      z.object({ amount }).meta(inForm({ isAlias: true })),
    ])
    .describe(
      `${meaning} Send \`{"rate": 0.05}\` for 5%. Send \`{"amount": 20}\` or \`20\` for an amount in \`currency\`.`,
    )
}

/** An image: a base64 file, or a `data:` URL. The output is the file. */
export function logoField() {
  const dataUrl = encodedText()
    .meta(inForm({ title: 'data: URL' }))
    .transform((value, context) => {
      const file = dataUri(value)
      if (typeof file !== 'string') return file
      context.addIssue({ code: 'custom', message: file })
      return z.NEVER
    })
  return z
    .union([fileOption('The file.'), dataUrl])
    .describe(
      'Your logo as PNG or JPEG, at most 10 MB. Send `{name, dataBase64}` or a `data:image/png;base64,…` URL. The ' +
        "API doesn't fetch web URLs. In `multipart/form-data`, you can send a file.",
    )
}
