import { CODESTREAM_BOX, JP2_SIGNATURE, readJp2Boxes, writeJp2Box } from '../images/jp2-boxes'
import type { Jp2Box } from '../images/jp2-boxes'
import { readCodestream, writeTilePart } from '../images/jp2-codestream'
import { cleanProfile } from './clean-profile'
import { CodestreamHeader } from './codestream-header'

/** Boxes of the header that a decoder reads (ISO/IEC 15444-1, annex I), in a file and inside another box. */
const HEADER_BOXES = new Set(['ihdr', 'bpcc', 'colr', 'pclr', 'cmap', 'cdef', 'opct', 'cgrp'])
/** Boxes with other boxes inside: the header of the file, of a codestream and of a layer (15444-2, annex M). */
const OUTER_BOXES = new Set(['jp2h', 'jpch', 'jplh', 'cgrp'])

/** Brands of files that readers know. Other words there may say anything. */
const BRANDS = new Set(['jp2 ', 'jpx ', 'jpxb', 'jpm ', 'mjp2', 'J2P0', 'J2P1'])

/**
 * Writes a JPEG 2000 file anew with only the boxes and segments that a decoder reads. The coded pixels don't change.
 * Undefined if the data can't be followed.
 */
export function cleanJpx(bytes: Uint8Array): Uint8Array | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!file.subarray(0, JP2_SIGNATURE.length).equals(JP2_SIGNATURE)) return cleanCodestream(file)
  const boxes = readJp2Boxes(file.subarray(JP2_SIGNATURE.length))
  const codestream = boxes.find(({ kind }) => kind === CODESTREAM_BOX)
  const clean = codestream && cleanCodestream(codestream.data)
  if (!clean) return undefined
  const type = boxes.find(({ kind }) => kind === 'ftyp')
  const headers = boxes.filter(({ kind }) => kind === 'jp2h' || kind === 'jpch' || kind === 'jplh')
  return Buffer.concat([
    JP2_SIGNATURE,
    writeJp2Box('ftyp', cleanType(type?.data)),
    ...headers.map(({ kind, data }) => writeJp2Box(kind, cleanHeader(data, 0))),
    writeJp2Box(CODESTREAM_BOX, clean),
  ])
}

function cleanType(data: Buffer = Buffer.alloc(0)): Buffer {
  const brands: string[] = []
  for (let at = 0; at + 4 <= data.length; at += 4) if (at !== 4) brands.push(data.toString('latin1', at, at + 4))
  const [brand = 'jp2 ', ...compatible] = brands.map(one => (BRANDS.has(one) ? one : 'jp2 '))
  return Buffer.from(`${brand}\0\0\0\0${[...new Set([...compatible, 'jp2 '])].join('')}`, 'latin1')
}

function cleanHeader(data: Buffer, depth: number): Buffer {
  if (depth > 2) return Buffer.alloc(0)
  return Buffer.concat(
    readJp2Boxes(data).flatMap(box => {
      if (!HEADER_BOXES.has(box.kind)) return []
      const inside = OUTER_BOXES.has(box.kind) ? cleanHeader(box.data, depth + 1) : cleanFields(box)
      return inside ? [writeJp2Box(box.kind, inside)] : []
    }),
  )
}

/** Maximum number of bits of a component (15444-1, I.5.3.2). */
const MOST_BITS = 38

/** Returns the fields of a box without bytes after them. Undefined if the box must go. */
function cleanFields({ kind, data }: Jp2Box): Buffer | undefined {
  switch (kind) {
    case 'ihdr':
      return data.subarray(0, 14)
    case 'colr':
      return cleanColor(data)
    case 'cdef':
      return data.length < 2 ? undefined : data.subarray(0, 2 + 6 * data.readUInt16BE(0))
    case 'cmap':
      return data.subarray(0, data.length - (data.length % 4))
    case 'pclr':
      return cleanPalette(data)
    case 'bpcc': {
      const end = data.findIndex(depth => (depth & 127) >= MOST_BITS)
      return end < 0 ? data : data.subarray(0, end)
    }
    case 'opct':
      return data.subarray(0, 1)
    default:
      return data
  }
}

/** The enumerated space CIELab has seven parameters of four bytes (15444-2, M.11.7.4). */
const CIELAB = 14

function cleanColor(data: Buffer): Buffer | undefined {
  const method = data[0]
  if (data.length < 7) return undefined
  if (method === 1) return data.subarray(0, data.readUInt32BE(3) === CIELAB ? 7 + 28 : 7)
  const profile = method === 2 || method === 3 ? cleanProfile(data.subarray(3)) : undefined
  return profile && Buffer.concat([data.subarray(0, 3), profile])
}

function cleanPalette(data: Buffer): Buffer | undefined {
  if (data.length < 3) return undefined
  const [rows, columns] = [data.readUInt16BE(0), data[2] as number]
  const widths = data.subarray(3, 3 + columns)
  const row = widths.reduce((total, bits) => total + (((bits & 127) >> 3) + 1), 0)
  return data.subarray(0, 3 + columns + rows * row)
}

function cleanCodestream(data: Buffer): Buffer | undefined {
  const codestream = readCodestream(data)
  if (!codestream) return undefined
  const header = new CodestreamHeader(codestream.segments)
  return Buffer.concat([
    data.subarray(0, 2),
    ...header.clean(codestream.segments),
    ...codestream.tiles.map(tile => writeTilePart(tile, header.clean(tile.segments), tile.data)),
    Buffer.from([0xff, 0xd9]),
  ])
}
