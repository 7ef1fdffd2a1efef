import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const SIGNATURE = '89504e470d0a1a0a'

/** Width and height of a PNG file. */
function readSize(png: Buffer): [number, number] {
  expect(png.subarray(0, 8).toString('hex')).toBe(SIGNATURE)
  return [png.readUInt32BE(16), png.readUInt32BE(20)]
}

it('has an icon in the sizes that browsers ask for', () => {
  const file = readFileSync('public/favicon.ico')
  expect([file.readUInt16LE(0), file.readUInt16LE(2), file.readUInt16LE(4)]).toEqual([0, 1, 3])
  const sizes = [0, 1, 2].map(index => {
    const at = 6 + 16 * index
    const offset = file.readUInt32LE(at + 12)
    const png = file.subarray(offset, offset + file.readUInt32LE(at + 8))
    expect(readSize(png)).toEqual([file[at], file[at + 1]])
    return file[at]
  })
  expect(sizes).toEqual([16, 32, 48])
  expect(readSize(readFileSync('app/apple-icon.png'))).toEqual([180, 180])
})

it('has an image for shared links, of the size and weight that networks accept', () => {
  const file = readFileSync('public/shared-link.png')
  expect(readSize(file)).toEqual([1200, 630])
  expect(file.length).toBeLessThan(100_000)
})
