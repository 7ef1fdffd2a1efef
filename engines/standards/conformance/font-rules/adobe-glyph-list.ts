import { GLYPH_LIST } from '../../../pdf/fonts'
import { OLDER_GLYPH_NAMES } from './glyph-names-older'

/** Names of ZapfDingbats: `a1` to `a206`. */
const DINGBAT = /^a(?:[1-9]\d?|1\d\d|20[0-6])$/

/** Names of TeX fonts that readers know, but that the list of veraPDF doesn't have. */
const TEX_NAMES = ['angbracketleft', 'angbracketright', 'circlecopyrt', 'planckover2pi', 'planckover2pi1']

let listed: ReadonlyMap<string, number> | undefined

/**
 * The code point of a name in the Adobe Glyph List. Unlike readers, rules accept no other names, such as `uni20AC`
 * (ISO 32000-2, 9.6.5.4).
 */
export function listedCharacter(name: string): number | undefined {
  listed ??= readList()
  return listed.get(name)
}

/** Whether a name belongs to ZapfDingbats. The names of Symbol are all in the Adobe Glyph List. */
export function isDingbat(name: string): boolean {
  return DINGBAT.test(name)
}

function readList(): Map<string, number> {
  const characters = new Map<string, number>()
  let last = 0
  for (const item of OLDER_GLYPH_NAMES.split(' ')) {
    const [name = '', digits] = item.split(':')
    if (digits !== undefined) last = Number.parseInt(digits, 16)
    else if (!name.endsWith('=')) last++
    characters.set(name.replace('=', ''), last)
  }
  for (const item of GLYPH_LIST.split(' ')) {
    const [name = '', digits = ''] = item.split(':')
    characters.set(name, Number.parseInt(digits, 16))
  }
  for (const name of TEX_NAMES) characters.delete(name)
  return characters
}
