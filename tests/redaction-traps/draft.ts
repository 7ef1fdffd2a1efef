import { makeTrap, UNDER } from '../fixtures/traps'
import type { Parts } from '../fixtures/traps'
import type { Construction, RedactionTrap } from './trap'

/** One variant of a construction: the parts of its page, or a whole file, and its differences from the usual trap. */
export interface Draft extends Partial<Omit<RedactionTrap, 'file'>> {
  parts?: Parts
  file?: Buffer
}

/** Redacts the area over the secret. */
export const BY_AREA = { options: { areas: [{ page: 1, ...UNDER }] } }

/**
 * A construction with one variant for each maker. By default, a rule searches the secret as text, the secret must be
 * removed, and it is visible in the bytes of the file. The word `BESIDE` on the page must stay.
 */
export function fromDrafts(name: string, makers: ((secret: string) => Draft)[]): Construction {
  return {
    name,
    variants: makers.length,
    make(secret, variant) {
      const { parts = {}, file = makeTrap(parts).file, ...given } = makers[variant]?.(secret) ?? {}
      return {
        file,
        options: { search: [{ text: secret }] },
        gone: [secret],
        stays: ['BESIDE'],
        seenBy: ['bytes'],
        ...given,
      }
    },
  }
}

/** A text string in UTF-16BE. */
export const wide = (text: string): string => `<feff${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`

/** A name with every letter escaped. */
export const escapedName = (text: string): string =>
  `/${Array.from(text, letter => `#${letter.charCodeAt(0).toString(16)}`).join('')}`

/** A secret in the area of the page, in Courier. */
export const shownText = (text: string, place = '60 145 Td'): string => `BT /F 15 Tf ${place} (${text}) Tj ET`
