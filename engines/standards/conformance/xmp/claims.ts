import { isEngineError } from '../../../errors'
import type { PdfDocument } from '../../../pdf/document'
import * as Name from '../../../pdf/names'
import { streamOf } from '../examination/model'
import type { ProfileId } from '../examination/profiles'
import { NAMESPACES } from './namespaces'
import { readPackage, textOf } from './xmp-package'
import type { XmpPackage } from './xmp-package'

/** The profiles of each part of PDF/A by `pdfaid:conformance`. */
const PROFILES_OF_PARTS: Readonly<Record<string, Readonly<Record<string, ProfileId>>>> = {
  1: { A: 'pdfa-1b', B: 'pdfa-1b' },
  2: { A: 'pdfa-2u', B: 'pdfa-2b', U: 'pdfa-2u' },
  3: { A: 'pdfa-3u', B: 'pdfa-3b', U: 'pdfa-3u' },
}

/**
 * The profiles that the document's XMP metadata claims, PDF/A first. Level A has no profile here, so a claim of level A
 * returns the nearest level: B of PDF/A-1, and U of PDF/A-2 and PDF/A-3. A claim of a part with another level, or with
 * none, returns level B, whose rules then report the level.
 */
export function claimsOf(document: PdfDocument): ProfileId[] {
  const main = readMain(document)
  if (!main) return []
  const { pdfaid, pdfuaid } = NAMESPACES
  const part = readPart(main, pdfaid)
  const levels = part === undefined ? undefined : PROFILES_OF_PARTS[part]
  const level = textOf(main, pdfaid, 'conformance')?.trim().toUpperCase() ?? 'B'
  const claims: (ProfileId | undefined)[] = [levels?.[level] ?? levels?.B]
  if (readPart(main, pdfuaid) === 1) claims.push('pdfua-1')
  return claims.filter(claim => claim !== undefined)
}

function readPart(main: XmpPackage, namespace: string): number | undefined {
  const text = textOf(main, namespace, 'part')?.trim() ?? ''
  return /^\d+$/.test(text) ? Number(text) : undefined
}

function readMain(document: PdfDocument): XmpPackage | undefined {
  const stream = streamOf(document, document.catalog.get(Name.Metadata))
  try {
    return stream && readPackage(document, stream)
  } catch (error) {
    if (isEngineError(error) && error.reason === 'too_large') return undefined
    throw error
  }
}
