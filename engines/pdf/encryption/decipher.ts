import type { PDFDict } from 'pdf-lib'
import { EngineError } from '../../errors'
import * as Name from '../syntax/names'
import { decryptPadded } from './aes'
import { type CipherName, type EncryptionDictionary, hasOwnFilter, readEncryption } from './encryption-dictionary'
import { findFileKey } from './file-key'
import { mapObject } from './map-object'
import { md5 } from './password-hash'
import { rc4 } from './rc4'
import type { Decipher } from '../files/input-file'

/** The message of a wrong password. It names no part of it. */
const WRONG_PASSWORD =
  'must be the user password or the owner password of the file. The password that was sent is wrong.'
const MISSING_PASSWORD = 'is required. The file has a password.'

/**
 * Creates the decipher of a file from its encryption dictionary and the first part of its /ID. Throws EngineError
 * `wrong_password`, or `encrypted` if Sheaf can't decrypt such files.
 */
export function createDecipher(dict: PDFDict, id: Uint8Array, password: string | undefined): Decipher {
  const encryption = readEncryption(dict)
  const key = findFileKey(encryption, id, password ?? '')
  if (!key) {
    const param = 'options.password'
    const message = password === undefined ? MISSING_PASSWORD : WRONG_PASSWORD
    throw new EngineError('wrong_password', `${param}: ${message}`, { param })
  }
  const stream = (data: Uint8Array, streamDict: PDFDict, number: number, generation: number): Uint8Array =>
    isPlainStream(streamDict, encryption)
      ? data
      : decrypt(encryption.streams, objectKey(encryption.streams, key, number, generation), data)
  return {
    stream,
    object(object, number, generation) {
      const stringKey = objectKey(encryption.strings, key, number, generation)
      return mapObject(object, {
        string: bytes => decrypt(encryption.strings, stringKey, bytes),
        stream: (bytes, streamDict) => stream(bytes, streamDict, number, generation),
      })
    },
  }
}

function isPlainStream(dict: PDFDict, { encryptsMetadata }: EncryptionDictionary): boolean {
  const type = dict.get(Name.Type)
  return type === Name.XRef || hasOwnFilter(dict) || (!encryptsMetadata && type === Name.Metadata)
}

/** The key of one object (ISO 32000-2, 7.6.3.2, algorithm 1). With AES-256, all objects have the key of the file. */
function objectKey(cipher: CipherName, key: Uint8Array, number: number, generation: number): Uint8Array {
  if (cipher === 'none' || cipher === 'aes-256') return key
  const suffix = Uint8Array.of(number, number >> 8, number >> 16, generation, generation >> 8)
  const salt = cipher === 'aes-128' ? Buffer.from('sAlT', 'latin1') : new Uint8Array(0)
  return md5(key, suffix, salt).subarray(0, Math.min(key.length + 5, 16))
}

function decrypt(cipher: CipherName, key: Uint8Array, data: Uint8Array): Uint8Array {
  if (cipher === 'none') return data
  return cipher === 'rc4' ? rc4(key, data) : decryptPadded(key, data)
}
