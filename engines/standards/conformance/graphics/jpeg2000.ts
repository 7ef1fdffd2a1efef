import { inParts23 } from '../examination/rules'
import type { Rule } from '../examination/rules'
import { chosenColor } from './jp2-header'
import type { Jp2Header } from './jp2-header'

/** JPEG 2000 data of an image. */
export interface Jpeg2000 {
  header: Jp2Header
  /** Whether the image has /ColorSpace. Readers then ignore the color boxes. */
  hasColorSpace: boolean
}

/** The enumerated color space CIEJab. */
const CIE_JAB = 19

const CHANNELS = [1, 3, 4]
const METHODS = [1, 2, 3]

/** Rules on JPEG 2000 data. */
export const JPEG2000_RULES: Rule<Jpeg2000>[] = [
  {
    in: inParts23('6.2.8.3-1'),
    message: 'JPEG 2000 data must have 1, 3 or 4 color channels.',
    check: ({ header }) => (CHANNELS.includes(header.channels) ? undefined : `${header.channels} channels`),
  },
  {
    in: inParts23('6.2.8.3-2'),
    message: 'Exactly one of several color specifications in JPEG 2000 data must have APPROX 1.',
    check: ({ header: { colors }, hasColorSpace }) => {
      const best = colors.filter(({ approximation }) => approximation === 1).length
      return hasColorSpace || colors.length === 1 || best === 1
        ? undefined
        : `${colors.length} color specifications, ${best} with APPROX 1`
    },
  },
  {
    in: inParts23('6.2.8.3-3'),
    message: 'The color specification in JPEG 2000 data must have METH 1, 2 or 3.',
    check: ({ header, hasColorSpace }) => {
      const method = chosenColor(header)?.method
      return hasColorSpace || METHODS.includes(method ?? 0) ? undefined : `METH ${method ?? 'missing'}`
    },
  },
  {
    in: inParts23('6.2.8.3-4'),
    message: 'JPEG 2000 data must not use the enumerated color space CIEJab.',
    check: ({ header, hasColorSpace }) =>
      hasColorSpace || chosenColor(header)?.enumerated !== CIE_JAB ? undefined : 'CIEJab',
  },
  {
    in: inParts23('6.2.8.3-5'),
    message: 'All color channels of JPEG 2000 data must have the same bit depth, from 1 to 38.',
    check: ({ header: { hasBitDepths, bitDepth } }) => {
      if (hasBitDepths) return 'different bit depths'
      return bitDepth >= 1 && bitDepth <= 38 ? undefined : `bit depth ${bitDepth || 'missing'}`
    },
  },
]
