import { PDFBool, PDFDict, PDFHexString, PDFName, PDFNumber, PDFString } from 'pdf-lib'
import { EngineError } from '../../errors'
import * as Name from '../syntax/names'

/** How a kind of data is encrypted. */
export type CipherName = 'none' | 'rc4' | 'aes-128' | 'aes-256'

/** The entries of an encryption dictionary of the standard handler (ISO 32000-2, tables 20 and 21). */
export interface EncryptionDictionary {
  /** Revision of the handler, 2 to 6. */
  revision: number
  /** Possible lengths of the file key in bytes, the likeliest first. */
  keyLengths: number[]
  streams: CipherName
  strings: CipherName
  owner: Uint8Array
  user: Uint8Array
  /** The file key, encrypted with each password (revisions 5 and 6). */
  ownerKey: Uint8Array
  userKey: Uint8Array
  permissions: number
  encryptsMetadata: boolean
}

/** Reads an encryption dictionary. Throws EngineError `encrypted` if Sheaf can't decrypt such files. */
export function readEncryption(dict: PDFDict): EncryptionDictionary {
  const filter = nameOf(dict, 'Filter')
  if (filter !== 'Standard')
    throw new EngineError(
      'encrypted',
      'The PDF is encrypted for certificates, not with a password. Decrypt the file with the program that encrypted ' +
        'it.',
    )
  const version = numberOf(dict, 'V') ?? 0
  const revision = numberOf(dict, 'R') ?? 0
  if (![1, 2, 3, 4, 5].includes(version) || revision < 2 || revision > 6)
    throw new EngineError('encrypted', 'The PDF is encrypted in a way that no PDF standard defines.')
  const length = numberOf(dict, 'Length')
  const usesFilters = version >= 4
  const rc4Bytes = length === undefined ? 5 : Math.floor(length / 8)
  return {
    revision,
    keyLengths: version === 1 ? [5] : version === 4 ? [16, rc4Bytes] : [rc4Bytes, 5, 16],
    streams: usesFilters ? cipherOf(dict, 'StmF') : 'rc4',
    strings: usesFilters ? cipherOf(dict, 'StrF') : 'rc4',
    owner: bytesOf(dict, 'O'),
    user: bytesOf(dict, 'U'),
    ownerKey: bytesOf(dict, 'OE'),
    userKey: bytesOf(dict, 'UE'),
    permissions: (numberOf(dict, 'P') ?? 0) | 0,
    encryptsMetadata: !usesFilters || dict.get(Name.EncryptMetadata) !== PDFBool.False,
  }
}

/** The cipher of the crypt filter that an entry names (ISO 32000-2, tables 25 and 27). */
function cipherOf(dict: PDFDict, entry: 'StmF' | 'StrF'): CipherName {
  const name = nameOf(dict, entry) ?? 'Identity'
  if (name === 'Identity') return 'none'
  const filters = dict.get(Name.CF)
  const filter = filters instanceof PDFDict ? filters.get(PDFName.of(name)) : undefined
  const method = filter instanceof PDFDict ? (nameOf(filter, 'CFM') ?? 'None') : undefined
  const cipher = method === undefined ? undefined : METHODS[method]
  if (cipher) return cipher
  throw new EngineError('encrypted', 'The PDF is encrypted with an unknown cipher.')
}

const METHODS: Readonly<Record<string, CipherName>> = { None: 'none', V2: 'rc4', AESV2: 'aes-128', AESV3: 'aes-256' }

function nameOf(dict: PDFDict, key: string): string | undefined {
  const value = dict.get(PDFName.of(key))
  return value instanceof PDFName ? value.decodeText() : undefined
}

function numberOf(dict: PDFDict, key: string): number | undefined {
  const value = dict.get(PDFName.of(key))
  return value instanceof PDFNumber ? value.asNumber() : undefined
}

function bytesOf(dict: PDFDict, key: string): Uint8Array {
  const value = dict.get(PDFName.of(key))
  return value instanceof PDFString || value instanceof PDFHexString ? value.asBytes() : new Uint8Array(0)
}

/** Returns whether the data of a stream is encrypted in another way than the others, by a crypt filter of its own. */
export function hasOwnFilter(dict: PDFDict): boolean {
  const filters = dict.get(Name.Filter)
  return String(filters).includes('/Crypt')
}
