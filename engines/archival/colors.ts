import { PDFRawStream, PDFString } from 'pdf-lib'
import type { PdfDocument } from '../pdf-core/document/document'
import { deflate } from '../pdf-core/filters/deflate'
import * as Name from '../pdf-core/syntax/names'
import type { Report } from '../conformance/examination/report'
import { writeGrayProfile, writeSrgbProfile } from './icc-profile'

/** Device color spaces that a document uses without an output intent that defines them. */
export interface UndefinedColors {
  gray: boolean
  rgb: boolean
  cmyk: boolean
}

/**
 * The rules about device color spaces by color space (ISO 19005-1, 6.2.3.3; ISO 19005-2, 6.2.4.3). Transparency needs
 * an output intent too (6.2.10).
 */
const RULES: Readonly<Record<keyof UndefinedColors, readonly string[]>> = {
  rgb: ['6.2.3.3-1', '6.2.4.3-2'],
  cmyk: ['6.2.3.3-2', '6.2.4.3-3'],
  gray: ['6.2.3.3-3', '6.2.4.3-4', '6.2.10-2'],
}

/** Reads from a report which device color spaces are used without being defined. */
export function findUndefinedColors({ failures }: Report): UndefinedColors {
  const broken = new Set(failures.map(({ clause, test }) => `${clause}-${test}`))
  const isUsed = (color: keyof UndefinedColors): boolean => RULES[color].some(rule => broken.has(rule))
  return { gray: isUsed('gray'), rgb: isUsed('rgb'), cmyk: isUsed('cmyk') }
}

/** The deflated profiles of output intents: whether it is sRGB, and its bytes. */
const profiles = new Map<boolean, Uint8Array>()

/** Adds an sRGB output intent, or a gray one if the pages have no color. Replaces all others, because
 * intents must share one profile. */
export function addOutputIntent(document: PdfDocument, { rgb }: Pick<UndefinedColors, 'rgb'>): void {
  const data = profiles.get(rgb) ?? deflate(rgb ? writeSrgbProfile() : writeGrayProfile())
  profiles.set(rgb, data)
  const entries = document.context.obj({ N: rgb ? 3 : 1, Filter: 'FlateDecode' })
  const profile = document.register(PDFRawStream.of(entries, data))
  const name = rgb ? 'sRGB IEC61966-2.1' : 'Gray with the sRGB curve'
  const intent = document.register(
    document.context.obj({
      Type: 'OutputIntent',
      S: 'GTS_PDFA1',
      OutputConditionIdentifier: PDFString.of(name),
      Info: PDFString.of(name),
      DestOutputProfile: profile,
    }),
  )
  document.editCatalog().set(Name.OutputIntents, document.context.obj([intent]))
}
