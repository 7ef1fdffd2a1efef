import { PDFArray, PDFNull, PDFNumber } from 'pdf-lib'
import type { PDFDict } from 'pdf-lib'
import type { PdfDocument } from '../../../pdf/document'
import type { Examination } from '../examination/examination'
import { entryOf } from '../examination/model'
import type { Location } from '../examination/report'
import { inAllParts, inParts23 } from '../examination/rules'
import type { Rule } from '../examination/rules'
import { examineHalftone } from './halftones'
import { RENDERING_INTENT_RULES } from './rendering-intents'
import * as Name from '../../../pdf/names'

interface Parameters {
  document: PdfDocument
  dict: PDFDict
}

const BLEND_MODES = new Set(
  (
    'Normal Compatible Multiply Screen Overlay Darken Lighten ColorDodge ColorBurn HardLight SoftLight Difference ' +
    'Exclusion Hue Saturation Color Luminosity'
  ).split(' '),
)

/** How far /CA and /ca may be from 1. */
const ALPHA_TOLERANCE = 0.000001

/** Rules on graphics state parameter dictionaries (ISO 32000-1, table 58). */
export const STATE_RULES: Rule<Parameters>[] = [
  {
    in: inAllParts('6.2.8-1', '6.2.5-1'),
    message: 'Graphics state parameters must not contain a transfer function.',
    check: ({ document, dict }) => (entryOf(document, dict, 'TR') ? '/TR' : undefined),
  },
  {
    in: inAllParts('6.2.8-2', '6.2.5-2'),
    message: 'The transfer function /TR2 must be Default.',
    check: subject => findOtherName(subject, 'TR2', ['Default']),
  },
  {
    in: inParts23('6.2.5-3'),
    message: 'Graphics state parameters must not contain /HTP.',
    check: ({ document, dict }) => (entryOf(document, dict, 'HTP') ? '/HTP' : undefined),
  },
  {
    in: { 'pdfa-1': '6.4-1' },
    message: 'The soft mask in graphics state parameters must be None.',
    check: subject => findOtherName(subject, 'SMask', ['None']),
  },
  {
    in: { 'pdfa-1': '6.4-4' },
    message: 'The blend mode must be Normal or Compatible.',
    check: subject => findOtherName(subject, 'BM', ['Normal', 'Compatible']),
  },
  {
    in: { 'pdfa-1': '6.4-5' },
    message: 'The opacity of strokes must be 1.',
    check: subject => findTransparency(subject, 'CA'),
  },
  {
    in: { 'pdfa-1': '6.4-6' },
    message: 'The opacity of fills must be 1.',
    check: subject => findTransparency(subject, 'ca'),
  },
]

/** Rules on each name of a blend mode. */
export const BLEND_RULES: Rule<string>[] = [
  {
    in: inParts23('6.2.10-1'),
    message: 'A blend mode must be one that the PDF standard defines.',
    check: mode => (BLEND_MODES.has(mode) ? undefined : `/BM /${mode}`),
  },
]

/** Checks a graphics state parameter dictionary. */
export function examineGraphicsState(examination: Examination, dict: PDFDict, location: Location): void {
  const { document } = examination
  examination.apply(STATE_RULES, { document, dict }, location)
  const modes = entryOf(document, dict, 'BM')
  for (const value of modes instanceof PDFArray ? modes.asArray() : [modes]) {
    const mode = document.peekName(value)
    if (mode !== undefined) examination.apply(BLEND_RULES, mode, location)
  }
  const intent = document.peekName(dict.get(Name.RI))
  if (intent !== undefined) examination.apply(RENDERING_INTENT_RULES, intent, location)
  examineHalftone(examination, dict.get(Name.HT), location)
}

/**
 * Returns an entry that has none of the allowed names as text for the report. Undefined if it has one, or is absent.
 */
function findOtherName({ document, dict }: Parameters, key: string, allowed: readonly string[]): string | undefined {
  const value = entryOf(document, dict, key)
  if (value === undefined || value === PDFNull) return undefined
  const name = document.peekName(value)
  if (name === undefined) return `/${key} that is not a name`
  return allowed.includes(name) ? undefined : `/${key} /${name}`
}

/**
 * Returns an opacity that differs from 1 as text for the report, or an entry that is not a number. Otherwise undefined.
 */
function findTransparency({ document, dict }: Parameters, key: string): string | undefined {
  const value = entryOf(document, dict, key)
  if (value === undefined || value === PDFNull) return undefined
  if (!(value instanceof PDFNumber)) return `/${key} that is not a number`
  return Math.abs(value.asNumber() - 1) < ALPHA_TOLERANCE ? undefined : `/${key} ${value.asNumber()}`
}
