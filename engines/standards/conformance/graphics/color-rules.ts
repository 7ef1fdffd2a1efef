import type { PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../../../pdf/document'
import { entryOf, plainDict } from '../examination/model'
import { inAllParts, inParts23 } from '../examination/rules'
import type { Rule } from '../examination/rules'
import * as Name from '../../../pdf/names'

/** A device color space that is used. */
export interface DeviceUse {
  space: string
  /** The color space of the output intent's profile. */
  output: string | undefined
}

/** Rules on device color spaces that no default color space replaces. */
export const DEVICE_RULES: Rule<DeviceUse>[] = [
  {
    in: inAllParts('6.2.3.3-1', '6.2.4.3-2'),
    message: 'DeviceRGB needs a default color space or a PDF/A output intent with an RGB profile.',
    check: use => (use.space !== 'DeviceRGB' || use.output === 'RGB ' ? undefined : writeUse(use)),
  },
  {
    in: inAllParts('6.2.3.3-2', '6.2.4.3-3'),
    message: 'DeviceCMYK needs a default color space or a PDF/A output intent with a CMYK profile.',
    check: use => (use.space !== 'DeviceCMYK' || use.output === 'CMYK' ? undefined : writeUse(use)),
  },
  {
    in: inAllParts('6.2.3.3-3', '6.2.4.3-4'),
    message: 'DeviceGray needs a default color space or a PDF/A output intent.',
    check: use => (use.space !== 'DeviceGray' || use.output !== undefined ? undefined : writeUse(use)),
  },
]

/** A DeviceN color space (ISO 32000-1, 8.6.6.5). */
export interface DeviceN {
  document: PdfDocument
  names: readonly (PDFObject | undefined)[]
  attributes: PDFObject | undefined
}

const PROCESS_COLORANTS = ['Cyan', 'Magenta', 'Yellow', 'Black']

/** Rules on DeviceN color spaces. */
export const DEVICE_N_RULES: Rule<DeviceN>[] = [
  {
    in: { 'pdfa-1': '6.1.12-9' },
    message: 'A DeviceN color space must not have more than 8 components.',
    check: ({ names }) => (names.length > 8 ? `${names.length} components` : undefined),
  },
  {
    in: inParts23('6.1.13-9'),
    message: 'A DeviceN color space must not have more than 32 components.',
    check: ({ names }) => (names.length > 32 ? `${names.length} components` : undefined),
  },
  {
    in: inParts23('6.2.4.4-1'),
    message: 'The Colorants dictionary of a DeviceN color space must have all its spot colors.',
    check: ({ document, names, attributes }) => {
      const known = new Set([...PROCESS_COLORANTS, 'None', ...describedColorants(document, attributes)])
      const missing = names.map(name => document.peekName(name)).find(name => name !== undefined && !known.has(name))
      return missing === undefined ? undefined : `no colorant ${missing}`
    },
  },
]

/** A Separation color space, and the first one in the file with the same name. */
export interface SeparationPair {
  name: string
  isSame: boolean
}

/** Rules on Separation color spaces. */
export const SEPARATION_RULES: Rule<SeparationPair>[] = [
  {
    in: inParts23('6.2.4.4-2'),
    message: 'All Separation color spaces with the same name must have the same alternate and tint transform.',
    check: ({ name, isSame }) => (isSame ? undefined : `another definition of ${name}`),
  },
]

/** Writes a device color space and the output intent of the file, for a message of the report. */
function writeUse({ space, output }: DeviceUse): string {
  return `${space} with ${output === undefined ? 'no output intent' : `output intent ${output.trim()}`}`
}

function describedColorants(document: PdfDocument, attributes: PDFObject | undefined): string[] {
  const dict = plainDict(document, attributes)
  const colorants = plainDict(document, dict?.get(Name.Colorants))
  const process = document.peekDict(entryOf(document, dict, 'Process'))
  const components = document.peekItems(process?.get(Name.Components))
  return [
    ...(colorants?.keys() ?? []).map(key => key.decodeText()),
    ...components.flatMap(component => document.peekName(component) ?? []),
  ]
}
