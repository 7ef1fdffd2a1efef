import type { PDFRawStream } from 'pdf-lib'
import type { PdfDocument } from '../../../pdf/document'
import * as Name from '../../../pdf/names'
import { inParts23 } from '../examination/rules'
import type { Rule } from '../examination/rules'
import { iccHeaderOf } from './icc-header'
import type { IccHeader } from './icc-header'

/** An ICC profile as rules see it. */
export interface IccProfile {
  /** Undefined if the profile can't be decoded. */
  header: IccHeader | undefined
  /** /N, the number of color components. */
  components: number | undefined
}

/** Reads the profile in a stream. */
export function iccProfileOf(document: PdfDocument, stream: PDFRawStream): IccProfile {
  return { header: iccHeaderOf(document, stream), components: document.peekNumber(stream.dict.get(Name.N)) }
}

const OUTPUT_CLASSES = ['prtr', 'mntr']
const INPUT_CLASSES = ['prtr', 'mntr', 'scnr', 'spac']
const OUTPUT_SPACES = ['RGB ', 'CMYK', 'GRAY']
const INPUT_SPACES = [...OUTPUT_SPACES, 'Lab ']

/** Color spaces of profiles by number of components (PDF Reference 1.4, 4.5.4). */
const SPACES_OF: Record<number, readonly string[]> = { 1: ['GRAY'], 3: ['RGB ', 'Lab '], 4: ['CMYK'] }

/** Rules on profiles of output intents. */
export const OUTPUT_PROFILE_RULES: Rule<IccProfile>[] = [
  {
    in: { 'pdfa-1': '6.2.2-1' },
    message: 'The profile of an output intent must be a printer or monitor profile below ICC version 3.',
    check: ({ header }) => misfit(header, OUTPUT_CLASSES, OUTPUT_SPACES, 3),
  },
  {
    in: inParts23('6.2.3-1'),
    message: 'The profile of an output intent must be a gray, RGB or CMYK profile for printers or monitors.',
    check: ({ header }) => misfit(header, OUTPUT_CLASSES, OUTPUT_SPACES, 5),
  },
]

/** Rules on profiles of ICCBased color spaces. */
export const INPUT_PROFILE_RULES: Rule<IccProfile>[] = [
  {
    in: { 'pdfa-1': '6.2.3.2-1' },
    message: 'An ICCBased color space must have a valid profile below ICC version 3.',
    check: ({ header }) => misfit(header, INPUT_CLASSES, INPUT_SPACES, 3),
  },
  {
    in: inParts23('6.2.4.2-1'),
    message: 'An ICCBased color space must have a valid profile below ICC version 5.',
    check: ({ header }) => misfit(header, INPUT_CLASSES, INPUT_SPACES, 5),
  },
]

/** Rules on all profiles. */
export const PROFILE_RULES: Rule<IccProfile>[] = [
  {
    in: { 'pdfa-1': '6.2.3.2-2' },
    message: 'The number of components of an ICC profile stream must match the profile.',
    check: ({ header, components }) => {
      if (components === undefined) return 'no /N'
      return SPACES_OF[components]?.includes(header?.colorSpace ?? '')
        ? undefined
        : `/N ${components} with color space ${header?.colorSpace ?? 'unknown'}`
    },
  },
]

/** Whether overprinting is on for the color space that is used. */
export interface OverprintUse {
  components: number | undefined
  isOverprinting: boolean
  overprintMode: number
}

/** Rules on ICCBased CMYK color spaces with overprinting. */
export const OVERPRINT_RULES: Rule<OverprintUse>[] = [
  {
    in: inParts23('6.2.4.2-2'),
    message: 'Overprint mode must be 0 if an ICCBased CMYK color space is used with overprinting.',
    check: ({ components, isOverprinting, overprintMode }) =>
      components === 4 && isOverprinting && overprintMode !== 0 ? `/OPM ${overprintMode}` : undefined,
  },
]

function misfit(
  header: IccHeader | undefined,
  classes: readonly string[],
  spaces: readonly string[],
  versionLimit: number,
): string | undefined {
  if (!header) return 'a profile that is not readable'
  if (!classes.includes(header.deviceClass ?? '')) return `device class ${header.deviceClass ?? 'missing'}`
  if (!spaces.includes(header.colorSpace ?? '')) return `color space ${header.colorSpace ?? 'missing'}`
  return (header.version ?? 0) < versionLimit ? undefined : `version ${header.version}`
}
