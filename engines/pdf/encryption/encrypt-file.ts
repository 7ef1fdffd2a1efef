import { randomBytes } from 'node:crypto'
import { PDFContext } from 'pdf-lib'
import type { EngineLimits } from '../../types'
import { InputFile } from '../files/input-file'
import { IN_STREAM } from '../files/xref'
import type { WrittenFile } from '../writer/written-file'
import { BLOCK_BYTES, encryptBlocks, encryptPadded } from './aes'
import { mapObject } from './map-object'
import { hashPassword } from './password-hash'
import { CopyWriter, isXrefStream } from './write-objects'

/** How a file is protected. Passwords are bytes of `writePasswordBytes`. */
export interface Protection {
  /** The password to open the file. Empty if the file opens without one. */
  user: Uint8Array
  owner: Uint8Array
  permissions: Permissions
}

/**
 * Encrypts a file that Sheaf wrote, with AES-256 (ISO 32000-2, 7.6, version 5 and revision 6). Salts and vectors are
 * random, so the result is different each time. Returns the chunks of the file.
 */
export function encryptFile(file: WrittenFile, protection: Protection, limits: EngineLimits): Uint8Array[] {
  const source = new InputFile(file.join(), { ...limits, maxObjects: Infinity })
  const key = randomBytes(32)
  const encrypt = (bytes: Uint8Array) => encryptPadded(key, bytes, randomBytes(BLOCK_BYTES))
  const cipher = { string: encrypt, stream: encrypt }
  const context = PDFContext.create()
  const { table } = source
  const writer = new CopyWriter(HEADER.exec(headOf(source.bytes))?.[1] ?? '1.7', table.size, file.byteLength)
  let usesStreams = false
  for (const { objectNumber: number, generationNumber: generation } of source.listReferences()) {
    if (table.kinds[number] === IN_STREAM) {
      usesStreams = true
      writer.locations.setCompressed(number, table.locations[number] as number, table.details[number] as number)
      continue
    }
    const object = source.parse(number, context, 0)
    if (object && !isXrefStream(object)) writer.object(number, generation, mapObject(object, cipher))
  }
  const encryptionNumber = table.size
  writer.text(encryptionNumber, 0, writeEncryption(key, protection))
  const entry = `/Encrypt ${encryptionNumber} 0 R`
  return writer.finish(table.trailer, entry, usesStreams ? encryptionNumber + 1 : undefined)
}

const HEADER = /^%PDF-(\d\.\d)/

function headOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, 16)).toString('latin1')
}

const NOTHING = new Uint8Array(0)

/** Writes the encryption dictionary (algorithms 8, 9 and 10 of ISO 32000-2, 7.6.4.4). */
function writeEncryption(key: Uint8Array, { user, owner, permissions }: Protection): string {
  const bits = writePermissions(permissions)
  const userEntries = writeEntries(user, key, NOTHING)
  const ownerEntries = writeEntries(owner, key, userEntries.check)
  const text = Buffer.alloc(16)
  text.writeInt32LE(bits)
  text.fill(255, 4, 8)
  text.write('Tadb', 8, 'latin1')
  randomBytes(4).copy(text, 12)
  // One block in ECB mode is the same as in CBC mode with a vector of zeros.
  const check = encryptBlocks(key, text)
  return (
    `<</Filter/Standard/V 5/R 6/Length 256/P ${bits}/EncryptMetadata true` +
    `/CF<</StdCF<</Type/CryptFilter/CFM/AESV3/AuthEvent/DocOpen/Length 32>>>>/StmF/StdCF/StrF/StdCF` +
    `/U<${hex(userEntries.check)}>/UE<${hex(userEntries.key)}>` +
    `/O<${hex(ownerEntries.check)}>/OE<${hex(ownerEntries.key)}>/Perms<${hex(check)}>>>`
  )
}

/** The entry that checks a password, and the file key encrypted with the password. */
function writeEntries(
  password: Uint8Array,
  key: Uint8Array,
  userEntry: Uint8Array,
): { check: Uint8Array; key: Uint8Array } {
  const [validationSalt, keySalt] = [randomBytes(8), randomBytes(8)]
  return {
    check: Buffer.concat([hashPassword(password, validationSalt, userEntry), validationSalt, keySalt]),
    key: encryptBlocks(hashPassword(password, keySalt, userEntry), key),
  }
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}

/** What readers allow if a file was opened with the user password (ISO 32000-2, table 22). */
interface Permissions {
  print: 'high' | 'low' | 'none'
  modify: boolean
  copy: boolean
  annotate: boolean
  fillForms: boolean
  assemble: boolean
}

/** Reserved bits that must be 1, and bit 10: assistive technology may always read the text. */
const ALWAYS = 0xff_ff_f2_c0 | 0

const BIT = { print: 1 << 2, modify: 1 << 3, copy: 1 << 4, annotate: 1 << 5, fillForms: 1 << 8 } as const
const ASSEMBLE = 1 << 10
const PRINT_HIGH = 1 << 11

/** Writes permissions as the value of /P, a signed 32-bit integer. */
function writePermissions(allowed: Permissions): number {
  let bits = ALWAYS
  if (allowed.print !== 'none') bits |= BIT.print
  if (allowed.print === 'high') bits |= PRINT_HIGH
  if (allowed.modify) bits |= BIT.modify
  if (allowed.copy) bits |= BIT.copy
  if (allowed.annotate) bits |= BIT.annotate
  if (allowed.fillForms) bits |= BIT.fillForms
  if (allowed.assemble) bits |= ASSEMBLE
  return bits
}
