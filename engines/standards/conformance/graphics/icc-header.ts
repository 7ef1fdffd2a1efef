import type { PDFRawStream } from 'pdf-lib'
import { isEngineError } from '../../../errors'
import type { PdfDocument } from '../../../pdf/document'
import { decodeStream } from '../../../pdf/document'
import { asBuffer } from '../../../pdf/syntax'

/** The fields of a profile's header that rules depend on (ICC.1:2010, 7.2). Undefined if they are missing or zero. */
export interface IccHeader {
  version: number | undefined
  deviceClass: string | undefined
  colorSpace: string | undefined
}

const HEADER_BYTES = 128
const VERSION = 8
const DEVICE_CLASS = 12
const COLOR_SPACE = 16

/** Encoded bytes that are decoded first. Profiles can have megabytes, and the header is at their start. */
const HEAD_BYTES = 4096

/** Reads the header of an ICC profile. */
export function readIccHeader(bytes: Uint8Array): IccHeader {
  const file = asBuffer(bytes)
  return {
    version: file.length > VERSION + 1 ? versionOf(file) : undefined,
    deviceClass: signatureAt(file, DEVICE_CLASS),
    colorSpace: signatureAt(file, COLOR_SPACE),
  }
}

/** Reads the header of the profile in a stream. Undefined if the stream can't be decoded. */
export function iccHeaderOf(document: PdfDocument, stream: PDFRawStream): IccHeader | undefined {
  const { dict, contents } = stream
  const decode = (data: Uint8Array): Uint8Array | undefined =>
    decodeStream(dict, data, item => document.peek(item), document.limits.maxStreamBytes)
  try {
    const head = decode(contents.subarray(0, HEAD_BYTES))
    const isWhole = contents.length <= HEAD_BYTES || (head?.length ?? 0) >= HEADER_BYTES
    const bytes = isWhole ? head : decode(contents)
    return bytes && readIccHeader(bytes)
  } catch (error) {
    if (isEngineError(error) && error.reason === 'too_large') return undefined
    throw error
  }
}

/** The major version, with the minor version as its decimal. */
function versionOf(file: Buffer): number {
  const minor = file.readUInt8(VERSION + 1) >> 4
  return file.readUInt8(VERSION) + minor / (minor < 10 ? 10 : 100)
}

function signatureAt(file: Buffer, at: number): string | undefined {
  const signature = file.toString('latin1', at, at + 4)
  return signature.length === 4 && signature !== '\0\0\0\0' ? signature : undefined
}
