import { PDFRef } from 'pdf-lib'
import type { PDFDict, PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../../../pdf/document'
import * as Name from '../../../pdf/names'
import type { Examination } from '../examination/examination'
import { objectOf, plainDict, streamOf } from '../examination/model'
import { inAllParts, inParts23 } from '../examination/rules'
import type { Rule } from '../examination/rules'
import { iccHeaderOf } from './icc-header'
import { iccProfileOf, OUTPUT_PROFILE_RULES, PROFILE_RULES } from './icc-profiles'

interface OutputIntent {
  dict: PDFDict
  subtype: string | undefined
  /** A reference or a stream. */
  profile: PDFObject | undefined
  location: { object?: string }
}

/** Rules on all output intents together. */
const INTENTS_RULES: Rule<readonly OutputIntent[]>[] = [
  {
    in: inAllParts('6.2.2-2', '6.2.3-2'),
    message: 'All output intents with a profile must use the same profile object.',
    check: intents => {
      const refs = new Set(intents.flatMap(({ profile }) => (profile instanceof PDFRef ? [profile.tag] : [])))
      return refs.size > 1 ? `profiles ${[...refs].join(', ')}` : undefined
    },
  },
]

const INTENT_RULES: Rule<OutputIntent>[] = [
  {
    in: inParts23('6.2.3-3'),
    message: 'A PDF/X output intent must not refer to an external profile.',
    check: ({ dict, subtype }) =>
      subtype === 'GTS_PDFX' && dict.has(Name.DestOutputProfileRef) ? '/DestOutputProfileRef' : undefined,
  },
]

/**
 * The color space of the profile in the PDF/A output intent: `RGB `, `CMYK`, `GRAY`, or what else the profile says.
 * Undefined if no PDF/A output intent has a profile.
 */
export function outputIntentSpace(document: PdfDocument): string | undefined {
  for (const { subtype, profile } of readIntents(document)) {
    const stream = subtype === 'GTS_PDFA1' ? streamOf(document, profile) : undefined
    const space = stream && iccHeaderOf(document, stream)?.colorSpace
    if (space !== undefined) return space
  }
  return undefined
}

/** An output intent of any kind, such as PDF/X, with a profile of this color space. */
export function findIntent(document: PdfDocument, space: string): PDFDict | undefined {
  return readIntents(document).find(({ profile }) => {
    const stream = streamOf(document, profile)
    return stream && iccHeaderOf(document, stream)?.colorSpace === space
  })?.dict
}

/** Checks the output intents of the document. */
export function examineOutputIntents(examination: Examination): void {
  const { document } = examination
  const intents = readIntents(document)
  examination.apply(INTENTS_RULES, intents)
  const seen = new Set<PDFObject>()
  for (const intent of intents) {
    examination.apply(INTENT_RULES, intent, intent.location)
    const stream = streamOf(document, intent.profile)
    if (!stream || seen.has(stream)) continue
    seen.add(stream)
    const object = objectOf(intent.profile)
    const location = object === undefined ? intent.location : { object }
    const profile = iccProfileOf(document, stream)
    examination.apply(OUTPUT_PROFILE_RULES, profile, location)
    examination.apply(PROFILE_RULES, profile, location)
  }
}

function readIntents(document: PdfDocument): OutputIntent[] {
  const values = document.peekItems(document.catalog.get(Name.OutputIntents))
  return values.flatMap(value => {
    const dict = plainDict(document, value)
    if (!dict) return []
    const object = objectOf(value)
    const location = object === undefined ? {} : { object }
    return [{ dict, subtype: document.peekName(dict.get(Name.S)), profile: dict.get(Name.DestOutputProfile), location }]
  })
}
