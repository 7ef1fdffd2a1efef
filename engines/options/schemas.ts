import * as z from 'zod'
import { boundedText } from './bounded-text'
import { HEX_PATTERN, readHexColor } from './colors'
import { LENGTH_PATTERN, MAX_LENGTH_TEXT, readLength } from './lengths'
import { MAX_SELECTOR_LENGTH, selectorProblem } from './selector-grammar'
import { SELECTOR_HELP } from './selectors'
import { inForm } from './form-hints'
import { checked } from './checks'

/** An option that selects pages. `meaning` describes what happens to them. */
export function pagesOption(meaning: string) {
  const text = boundedText(MAX_SELECTOR_LENGTH).superRefine(checked(selectorProblem)).meta({ minLength: 1 })
  const numbers = z.array(z.number().int().min(1).max(1_000_000_000)).min(1).max(20_000)
  return z.union([numbers, text]).describe(`${meaning} ${SELECTOR_HELP}`)
}

/** Default of `blankThreshold`. */
export const BLANK_THRESHOLD = 0.002

/** How much content a blank page may have. */
export const blankThresholdOption = z
  .number()
  .min(0)
  .max(0.1)
  .default(BLANK_THRESHOLD)
  .describe(
    "Fraction of pixels that aren't white. If a page has a larger fraction, the page isn't blank. A blank page also " +
      'has at most `blankThreshold` × 2,000 characters of text. The default allows the specks of a scan and a page ' +
      'number of four characters. With 0, a blank page has no content at all. Sheaf checks pages as displayed, with ' +
      'annotations. Paper that is slightly gray counts as white.',
  )
  .meta(inForm({ label: 'Most content of a blank page' }))

/** What happens to an XFA form. For tools that change what pages show but don't change the form. */
export const xfaOption = z
  .enum(['keep', 'drop'])
  .default('keep')
  .describe(
    'XFA form of the file. `keep` keeps it. `drop` removes it, with the warning `xfa-dropped`. AcroForm fields ' +
      'stay in both cases. Adobe Acrobat shows a dynamic XFA form instead of the pages. With `keep`, Acrobat then ' +
      "doesn't show the change (warning `xfa-hides-changes`).",
  )
  .meta(inForm({ label: 'XFA form', choices: { keep: 'Keep', drop: 'Remove' } }))

/** Languages of text recognition as Tesseract codes, the most important one first. */
export const languageCodes = z.array(boundedText(100).min(1)).min(1).max(5)

/** A password. Errors never repeat its value. `meaning` describes what it is for. */
export function passwordOption(meaning: string, label: string) {
  return z
    .string({
      error: ({ input }) => {
        if (typeof input === 'string') return 'must have 1 to 127 characters.'
        return input === undefined ? undefined : 'must be a string.'
      },
    })
    .max(127, { abort: true })
    .min(1)
    .describe(meaning)
    .meta({ ...inForm({ label, isSecret: true }), format: 'password' })
}

/** The file name of the response. Every tool has this option. `usual` is the default name for `report.pdf`. */
export const outputNameOption = (usual: string) =>
  boundedText(120)
    .min(1)
    .optional()
    .describe(
      "File name of the response. The extension is added if it's missing. Default: the name of the first input file " +
        `and a suffix, such as \`${usual}\`.`,
    )
    .meta(inForm({ label: 'File name' }))

/** A color as `{r, g, b}` from 0 to 255 or as `#RRGGBB`. Returns `{r, g, b}`. The default `usual` is `#RRGGBB`. */
export function colorOption(meaning: string, usual: string) {
  const part = (name: string) => z.number().int().min(0).max(255).describe(`${name} component.`)
  const hex = boundedText(40)
    .meta({ pattern: HEX_PATTERN })
    .transform((value, context) => {
      const color = readHexColor(value)
      if (!color)
        context.addIssue({
          code: 'custom',
          message:
            `must be a color. Got "${value.slice(0, 40)}". Use #RRGGBB, #RGB or {"r": 0, "g": 0, "b": 0} with ` +
            'components from 0 to 255.',
        })
      return color ?? z.NEVER
    })
  return z
    .union([z.strictObject({ r: part('Red'), g: part('Green'), b: part('Blue') }), hex])
    .prefault(usual)
    .describe(`${meaning} \`#RRGGBB\`, \`#RGB\` or \`{r, g, b}\` with components from 0 to 255.`)
}

/** A length in points, or a number with a unit, such as `10mm`. Returns points. */
export function lengthOption(meaning: string, { min, max, usual }: { min: number; max: number; usual: number }) {
  return z
    .union([
      z.number().meta({ minimum: min, maximum: max }),
      boundedText(MAX_LENGTH_TEXT).meta({ pattern: LENGTH_PATTERN }),
    ])
    .transform((value, context) => {
      const points = readLength(value)
      if (points !== undefined && points >= min && points <= max) return points
      const wrong =
        points === undefined
          ? `must be a length. Got "${String(value).slice(0, 40)}"`
          : `must be ${min} to ${max} points. Got ${value}`
      context.addIssue({ code: 'custom', message: `${wrong}. Use points, or a number with pt, mm, cm, in or px.` })
      return z.NEVER
    })
    .prefault(usual)
    .describe(`${meaning} In points, or a string with a unit, such as \`10mm\`.`)
}

/** The problem with a number that must be from 0 to 1. Undefined if there is none. */
export function fractionProblem(value: number): string | undefined {
  if (value >= 0 && value <= 1) return undefined
  const hint = value > 1 && value <= 100 ? ` Did you mean ${Number((value / 100).toPrecision(12))}?` : ''
  return `must be a fraction from 0 to 1. Got ${value}.${hint}`
}

/** An opacity from 0 to 1. */
export function opacityOption(usual: number) {
  return z
    .number()
    .superRefine(checked(fractionProblem))
    .meta({ minimum: 0, maximum: 1 })
    .default(usual)
    .describe('Opacity as a fraction. 0 is invisible and 1 is opaque.')
}

/** Control characters except the line feed, Unicode line separators, and noncharacters. */
const CONTROL = /[^\P{Cc}\n]|[\u2028\u2029\ufffe\uffff]/u

/** More combining marks on a letter than any language uses. Unicode's stream-safe text format allows 30. */
const PILED_MARKS = /\p{M}{31,}/u

/** The problem with a text to draw, regardless of fonts. Undefined if there is none. */
function textProblem(text: string, { hasLines }: { hasLines: boolean }): string | undefined {
  if (!text.isWellFormed()) return 'has an unpaired surrogate. Send complete Unicode characters.'
  if (PILED_MARKS.test(text)) return 'has a letter with more than 30 accents or other combining marks. Send fewer.'
  const control = CONTROL.exec(text)?.[0] ?? (hasLines ? undefined : text.includes('\n') ? '\n' : undefined)
  if (control === undefined) return undefined
  const code = `U+${control.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
  return (
    `must not contain the control character ${code}. ` +
    (hasLines ? 'Only line feeds (U+000A) are allowed.' : 'Send a single line.')
  )
}

/** A text that is drawn on pages, in any script. With `hasLines`, line feeds (also CR LF) begin new lines. */
export function drawnTextOption(meaning: string, { max, hasLines = false }: { max: number; hasLines?: boolean }) {
  return boundedText(max)
    .transform(value => (hasLines ? value.replace(/\r\n?/g, '\n') : value))
    .superRefine(checked(value => textProblem(value, { hasLines })))
    .describe(`${meaning} Any script.${hasLines ? ' Line feeds start new lines.' : ''}`)
}
