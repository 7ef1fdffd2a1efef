import { PDFContext, PDFRawStream } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import type { EngineLimits } from '../../types'
import { InputFile } from '../files/input-file'
import { IN_STREAM } from '../files/xref'
import * as Name from '../syntax/names'
import { createDecipher } from './decipher'
import { CopyWriter, isXrefStream } from './write-objects'

/** A file without encryption, and what is known about the encrypted one. */
export interface DecryptedFile {
  bytes: Uint8Array
  /** Whether the encrypted file had to be repaired. */
  isRepaired: boolean
  /** Whether the encrypted file has object streams. The decrypted file has none. */
  usesObjectStreams: boolean
}

/**
 * Writes an encrypted file without encryption, object by object. Everything else stays as it was. Undefined if the file
 * isn't encrypted. Throws EngineError `wrong_password` for `password`, `encrypted` if Sheaf can't decrypt such files,
 * and `damaged`.
 */
export function decryptFile(
  bytes: Uint8Array,
  password: string | undefined,
  limits: EngineLimits,
): DecryptedFile | undefined {
  const file = new InputFile(bytes, limits, {
    openCipher: (encryption, id) => createDecipher(encryption, id, password),
  })
  if (!file.isEncrypted) return undefined
  const context = PDFContext.create()
  const { table } = file
  const writer = new CopyWriter('1.7', table.size, bytes.length)
  for (const { objectNumber: number, generationNumber: generation } of file.listReferences()) {
    if (number === file.encryptionNumber) continue
    const object = file.parse(number, context, 0)
    // The decrypted file has neither object streams nor cross-reference streams.
    if (object && !isXrefStream(object) && !isObjectStream(object)) writer.object(number, generation, object)
  }
  return {
    bytes: Buffer.concat(writer.finish(table.trailer)),
    isRepaired: file.repairs.length > 0,
    usesObjectStreams: table.kinds.includes(IN_STREAM),
  }
}

function isObjectStream(object: PDFObject): boolean {
  return object instanceof PDFRawStream && object.dict.get(Name.Type) === Name.ObjStm
}
