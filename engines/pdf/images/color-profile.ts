import { createHash } from 'node:crypto'
import { inflateSync } from 'node:zlib'
import { PDFHexString, PDFRawStream } from 'pdf-lib'
import type { PDFObject, PDFRef } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import { deflate } from '../filters/deflate'
import * as Name from '../syntax/names'
import { readJpegSegments } from './jpeg-segments'
import { findOrAdd } from '../../map-entries'

const APP2 = 0xe2

/** The mark of a profile segment in JPEG (ICC.1:2010, B.4). A number and a count of one byte each follow. */
const JPEG_MARK = Buffer.from('ICC_PROFILE\0', 'latin1')

/** Larger profiles are left out. Profiles of presses have up to 3 MB. */
const MOST_BYTES = 4_000_000

const HEADER_BYTES = 128
const TAG_BYTES = 12

/** Color spaces of profiles by the number of channels, and classes of profiles that PDF allows (ISO 32000-2, 8.6.5.5). */
const SPACES: Readonly<Record<number, string>> = { 1: 'GRAY', 3: 'RGB ', 4: 'CMYK' }
const CLASSES = new Set(['scnr', 'mntr', 'prtr', 'spac'])

const profilesOf = new WeakMap<PdfDocument, Map<string, PDFRef>>()

/** The color profile of a JPEG file, from its segments in order. Undefined if there is none or if one is missing. */
export function readJpegProfile(bytes: Uint8Array): Uint8Array | undefined {
  const parts = (readJpegSegments(bytes)?.segments ?? [])
    .filter(({ marker, data }) => marker === APP2 && data.subarray(0, JPEG_MARK.length).equals(JPEG_MARK))
    .map(({ data }) => ({ number: data[JPEG_MARK.length] ?? 0, bytes: data.subarray(JPEG_MARK.length + 2) }))
    .sort((one, other) => one.number - other.number)
  const isWhole = parts.length > 0 && parts.every(({ number }, index) => number === index + 1)
  return isWhole ? Buffer.concat(parts.map(part => part.bytes)) : undefined
}

/** The color profile in an iCCP chunk (W3C PNG, 11.3.2.3). Undefined if there is none or if it is damaged. */
export function readPngProfile(chunk: Uint8Array | undefined): Uint8Array | undefined {
  const nameEnd = chunk?.indexOf(0) ?? -1
  if (!chunk || nameEnd < 0 || chunk[nameEnd + 1] !== 0) return undefined
  try {
    return inflateSync(chunk.subarray(nameEnd + 2), { maxOutputLength: MOST_BYTES })
  } catch {
    return undefined // Without its profile, the image has device colors, as most readers show it.
  }
}

/**
 * Adds a color profile as a color space, once for the same bytes. Undefined if there is no profile, or if it isn't valid
 * for an image with this number of channels.
 */
export function addProfile(
  document: PdfDocument,
  profile: Uint8Array | undefined,
  channels: number,
): PDFObject | undefined {
  if (!profile || !isValid(Buffer.from(profile.buffer, profile.byteOffset, profile.length), channels)) return undefined
  const profiles = findOrAdd(profilesOf, document, () => new Map())
  const key = `${channels} ${createHash('sha256').update(profile).digest('hex')}`
  const alternate = { 1: 'DeviceGray', 3: 'DeviceRGB', 4: 'DeviceCMYK' }[channels]
  const dict = { N: channels, Filter: Name.FlateDecode, ...(alternate && { Alternate: alternate }) }
  const ref = profiles.get(key) ?? document.register(PDFRawStream.of(document.context.obj(dict), deflate(profile)))
  profiles.set(key, ref)
  return document.context.obj(['ICCBased', ref])
}

/** Checks the header and the positions of all tags (ICC.1:2010, 7.2 and 7.3). */
function isValid(profile: Buffer, channels: number): boolean {
  if (profile.length < HEADER_BYTES + 4 || profile.length > MOST_BYTES) return false
  const text = (at: number): string => profile.toString('latin1', at, at + 4)
  if (text(36) !== 'acsp' || text(16) !== SPACES[channels] || !CLASSES.has(text(12))) return false
  if (profile.readUInt32BE(0) > profile.length || profile.readUInt8(8) > 4) return false
  const count = profile.readUInt32BE(HEADER_BYTES)
  const tagsEnd = HEADER_BYTES + 4 + count * TAG_BYTES
  if (count === 0 || tagsEnd > profile.length) return false
  for (let at = HEADER_BYTES + 4; at < tagsEnd; at += TAG_BYTES)
    if (profile.readUInt32BE(at + 4) + profile.readUInt32BE(at + 8) > profile.length) return false
  return true
}

/** A color space of a palette with three bytes per color in the space `base`. */
export function indexedSpace(document: PdfDocument, base: PDFObject, palette: Uint8Array): PDFObject {
  return document.context.obj([
    'Indexed',
    base,
    palette.length / 3 - 1,
    PDFHexString.of(Buffer.from(palette).toString('hex').toUpperCase()),
  ])
}
