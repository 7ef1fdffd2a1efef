import { EngineError } from '../../errors'
import { PROFILES } from '../conformance/examination/profiles'
import type { ProfileId } from '../conformance/examination/profiles'
import type { Report } from '../conformance/examination/report'
import { validate } from '../conformance/validate'
import type { PdfDocument } from '../../pdf/document'
import { claimConformance, dropClaims, PDFA, PDFUA } from '../../pdf/metadata'
import type { DescribedProperties } from '../../pdf/metadata'
import { openDocument } from '../../pdf/open'
import { saveDocument } from '../../pdf/save'
import type { WrittenFile } from '../../pdf/save'
import { addSrgbIntent } from './colors'
import { listProblems } from './problems'

/** A profile that Sheaf guarantees for documents that it makes. */
export type GuaranteedProfile = Extract<ProfileId, 'pdfa-3b' | 'pdfua-1'>

interface Publication {
  /** The profiles that the file claims if it conforms. */
  profiles: readonly GuaranteedProfile[]
  /** The claimed profiles that the file must conform to. */
  required: readonly GuaranteedProfile[]
  /** Properties of another namespace for the XMP packet. */
  properties?: DescribedProperties | undefined
  /**
   * Names of everything that Sheaf's own writer put together, such as its template and its fonts. They never contain
   * data of the request. A file is validated only if a part is new. Default: every file is validated.
   */
  parts?: readonly string[]
}

/** Parts of files that conformed, by profile. This process has validated these files. */
const proven = new Set<string>()

/**
 * Writes a document that Sheaf made, with claims of these profiles. This file was validated, or earlier files with the
 * same parts were. If a validated file breaks a rule of a required profile, throws EngineError `options_invalid` with the
 * rules. Claims of other profiles that it breaks are left out.
 */
export function publishConforming(
  document: PdfDocument,
  { profiles, required, properties, parts }: Publication,
): WrittenFile {
  if (profiles.length === 0) return saveDocument(document)
  if (profiles.includes('pdfa-3b')) {
    addSrgbIntent(document)
    document.saving.fixedVersion = '1.7'
  }
  claimConformance(document, {
    pdfa: profiles.includes('pdfa-3b') ? { part: 3, level: 'B' } : undefined,
    pdfua: profiles.includes('pdfua-1'),
    keepsOthers: true,
    properties,
  })
  const file = saveDocument(document, { keepsClaims: true })
  const claims = profiles.join(' ')
  const used = parts?.map(part => `${claims} ${part}`)
  if (used?.every(part => proven.has(part))) return file
  const bytes = file.join()
  const result = openDocument(bytes, { ...document.limits, maxPagesIn: document.limits.maxPagesOut })
  const failed = profiles.map(profile => validate(result, bytes, profile)).filter(({ conforms }) => conforms !== true)
  if (failed.length === 0) {
    for (const part of used ?? []) proven.add(part)
    return file
  }
  const refused = failed.filter(({ profile }) => required.some(id => id === profile))
  if (refused.length > 0) throw refuse(refused)
  dropClaims(
    result,
    failed.map(({ profile }) => (profile === 'pdfua-1' ? PDFUA : PDFA)),
  )
  return saveDocument(result)
}

function refuse(reports: readonly Report[]): EngineError {
  const titles = reports.map(({ profile }) => PROFILES[profile].title).join(' and ')
  const problems = reports.flatMap(listProblems)
  return new EngineError('not_conforming', `The document can't conform to ${titles}. The problems name each rule.`, {
    problems,
  })
}
