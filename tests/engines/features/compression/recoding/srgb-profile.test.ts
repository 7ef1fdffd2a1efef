import { describe, expect, it } from 'vitest'
import { writeGrayProfile, writeSrgbProfile } from '../../../../../engines/standards/archival/profiles/icc-profile'
import { isSrgbProfile } from '../../../../../engines/features/compression/recoding/srgb-profile'

/** The offset and the length of a tag's data. */
function findTag(profile: Buffer, name: string): { start: number; length: number } {
  const at = profile.indexOf(name, 132, 'latin1')
  return { start: profile.readUInt32BE(at + 4), length: profile.readUInt32BE(at + 8) }
}

/** A copy of the sRGB profile with a change. */
function changed(change: (profile: Buffer) => void): Buffer {
  const profile = Buffer.from(writeSrgbProfile())
  change(profile)
  return profile
}

/** The sRGB profile with a curve of parameters: g, a, b, c and d of ICC.1:2010, table 65. */
function withParameters(...parameters: number[]): Buffer {
  return changed(profile => {
    const { start } = findTag(profile, 'rTRC')
    profile.write('para', start, 'latin1')
    profile.writeUInt16BE(3, start + 8)
    for (const [index, value] of parameters.entries())
      profile.writeInt32BE(Math.round(value * 65_536), start + 12 + 4 * index)
  })
}

describe('a profile is one of sRGB', () => {
  it.each([1024, 256, 64])('with %i points of its curve', points => {
    expect(isSrgbProfile(writeSrgbProfile(points))).toBe(true)
  })

  it('with a curve of parameters', () => {
    expect(isSrgbProfile(withParameters(2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045))).toBe(true)
  })
})

describe('a profile is not one of sRGB', () => {
  it.each<[string, Uint8Array]>([
    ['of gray', writeGrayProfile()],
    ['with too few points', writeSrgbProfile(8)],
    ['with a curve of gamma 2.2', withParameters(2.2, 1, 0, 0, 0)],
    ['with a straight curve', changed(profile => profile.writeUInt32BE(0, findTag(profile, 'rTRC').start + 8))],
    ['with other primaries', changed(profile => profile.writeInt32BE(40_000, findTag(profile, 'gXYZ').start + 8))],
    ['of a printer', changed(profile => void profile.write('prtr', 12, 'latin1'))],
    ['with a table', changed(profile => void profile.write('A2B0', profile.indexOf('cprt', 132, 'latin1'), 'latin1'))],
    ['that is cut off', writeSrgbProfile().subarray(0, 300)],
    ['with too many tags', changed(profile => profile.writeUInt32BE(0xffff_ffff, 128))],
    ['without data', new Uint8Array(10)],
  ])('%s', (_name, profile) => {
    expect(isSrgbProfile(profile)).toBe(false)
  })
})
