import type { PdfWriter } from '../../fixtures/pdf-writer'
import { fromDrafts, shownText, wide } from '../draft'
import type { Draft } from '../draft'
import type { Construction, TrapGroup } from '../trap'
import { action, annotation, inCatalog } from './object-drafts'
import { showUnicode } from './unicode-text'

/** A text on the page, and the text that is searched. Readers find `gone` in the file. */
type Written = (secret: string) => { shown: string; asked?: string; gone?: string[] }

/** Texts on the page that are written otherwise than they are searched. */
function onPages(name: string, forms: readonly Written[]): Construction {
  return fromDrafts(
    `writing: ${name}`,
    forms.map(form => secret => {
      const { shown, asked = secret, gone = [secret] } = form(secret)
      return { ...showUnicode(shown, gone), options: { search: [{ text: asked }] } }
    }),
  )
}

const between = (sign: string, text: string): string => Array.from(text).join(sign)

/** Letters of a text from another alphabet, which begins with A at a code. */
const fromCode = (text: string, code: number): string =>
  Array.from(text, letter => String.fromCodePoint(letter.charCodeAt(0) - 65 + code)).join('')

/** A number of ten different digits. */
const numberOf = (secret: string): string => `72839${(secret.charCodeAt(0) % 9) + 1}4065`
const inDigits = (number: string, zero: number): string =>
  Array.from(number, digit => String.fromCodePoint(zero + Number(digit))).join('')
const grouped = (number: string, sizes: readonly number[], sign: string): string => {
  let at = 0
  return sizes.map(size => number.slice(at, (at += size))).join(sign)
}

const lower = (text: string): string => text.toLowerCase()
/** The three words of a name. */
const wordsOf = (secret: string): [string, string, string] => [secret.slice(0, 4), secret.slice(4, 9), secret.slice(9)]
const nameOf = (secret: string): string => wordsOf(secret).join(' ')
const named = (make: (secret: string) => Draft): ((secret: string) => Draft) => {
  return secret => ({ options: { search: [{ text: nameOf(secret) }] }, ...make(secret) })
}
const title = (text: string): Draft => ({
  parts: { trailer: pdf => `/Info ${pdf.add(`<</Title${wide(text)}>>`)} 0 R` },
  seenBy: ['pdfium'],
})

const fontOf =
  (make: (secret: string, pdf: PdfWriter) => string) =>
  (secret: string): Draft => ({
    parts: {
      resources: pdf => `/Font<</N ${pdf.add(`<</Type/Font${make(secret, pdf)}>>`)} 0 R>>`,
    },
  })

export const OTHER_WRITING: TrapGroup = {
  name: 'Other ways to write a text',
  cause: 'Letters that look the same, numbers in other groups, names as in files, labels that readers compose.',
  constructions: [
    onPages(
      'strokes and frames over letters',
      ['\u0336', '\u0332', '\u0338', '\u20dd'].map(mark => secret => ({ shown: `${between(mark, secret)}${mark}` })),
    ),
    onPages(
      'signs between letters',
      ['.', '\u00b7', '|', '-', '/', '\u2022', '_', '\u2800'].map(sign => secret => ({ shown: between(sign, secret) })),
    ),
    onPages('letters of other scripts that look the same', [
      secret => ({ shown: `${secret}\u0435\u043e`, asked: `${secret}eo`, gone: [`${secret}\u0435\u043e`] }),
      secret => ({ shown: `\u0391${secret}\u03bf`, asked: `A${secret}o`, gone: [`\u0391${secret}\u03bf`] }),
      secret => ({ shown: `${secret}\u0441\u0440`, asked: `${secret}cp`, gone: [`${secret}\u0441\u0440`] }),
    ]),
    onPages('letters in frames', [
      secret => ({ shown: `${secret}${fromCode('EO', 0x1f150)}`, asked: `${secret}eo` }),
      secret => ({ shown: fromCode(secret, 0x249c), gone: [fromCode(secret, 0x249c)] }),
      secret => ({ shown: `${secret}\u1d07\u1d0f`, asked: `${secret}eo`, gone: [`${secret}\u1d07\u1d0f`] }),
    ]),
    onPages(
      'digits of other scripts',
      [0x660, 0x966, 0xe50, 0x1d7d8].map(zero => secret => ({
        shown: inDigits(numberOf(secret), zero),
        asked: numberOf(secret),
        gone: [inDigits(numberOf(secret), zero)],
      })),
    ),
    onPages('numbers in other groups', [
      ...[',', '.', '\u2019', '\u202f', '-', '/', ' '].map((sign): Written => secret => ({
        shown: `no. ${grouped(numberOf(secret), [1, 3, 3, 3], sign)}.`,
        asked: numberOf(secret),
        gone: [numberOf(secret)],
      })),
      secret => ({
        shown: `(${grouped(numberOf(secret), [3, 7], ') ')}`,
        asked: grouped(numberOf(secret), [3, 3, 4], '-'),
        gone: [numberOf(secret)],
      }),
      secret => ({
        shown: `DE${grouped(numberOf(secret), [2, 4, 4], ' ')}`,
        asked: `DE${numberOf(secret)}`,
        gone: [numberOf(secret)],
      }),
    ]),
    onPages(
      'names as in files and addresses',
      ['-', '_', '.', '+', ''].map(sign => secret => ({
        shown: wordsOf(secret).join(sign),
        asked: nameOf(secret),
        gone: [secret],
      })),
    ),
    fromDrafts('writing: names in addresses and titles', [
      named(secret => ({
        ...action(() => `/S/URI/URI(https://example.com/${lower(wordsOf(secret).join('-'))})`)(secret),
        gone: [wordsOf(secret).join('-')],
      })),
      named(secret => ({ ...title(wordsOf(secret).join('_')), gone: [wordsOf(secret).join('_')] })),
      secret => title(between(' ', secret)),
      secret => ({
        ...title(`\u202e${Array.from(secret).reverse().join('')}\u202c`),
        gone: [Array.from(secret).reverse().join('')],
      }),
    ]),
    fromDrafts(
      'writing: data in Base64 and hexadecimal digits',
      [
        action(secret => `/S/URI/URI(data:text/plain;base64,${Buffer.from(secret).toString('base64')})`),
        action(secret => `/S/JavaScript/JS(app.alert\\(atob\\("${Buffer.from(secret).toString('base64')}"\\)\\))`),
        action(secret => `/S/JavaScript/JS(["${between('","', secret)}"].join\\(""\\))`),
        annotation(secret => `/Subtype/Text/Contents(${Buffer.from(lower(secret)).toString('hex')})`),
      ].map((make, index) => secret => ({
        ...make(secret),
        ...(index < 2 && { gone: [Buffer.from(secret).toString('base64')] }),
        ...(index === 2 && { gone: [between('","', secret)] }),
      })),
    ),
    fromDrafts('writing: labels of a prefix and a number', [
      secret => ({
        ...inCatalog(() => `/PageLabels<</Nums[0<</S/D/P(${secret})/St 7283>>]>>`)(secret),
        options: { search: [{ text: `${secret}7283` }] },
        gone: [`${secret}7283`],
        seenBy: ['pdfium'],
      }),
      secret => ({
        ...inCatalog(() => `/PageLabels<</Nums[0<</S/R/P(${secret})/St 14>>]>>`)(secret),
        options: { search: [{ text: `${secret}XIV` }] },
        gone: [`${secret}XIV`],
        seenBy: ['pdfium'],
      }),
    ]),
    fromDrafts('writing: names of fields with their parents', [
      secret => {
        let root = 0
        return {
          parts: {
            page: pdf => {
              root = pdf.reserve()
              const kid = pdf.add(
                `<</Type/Annot/Subtype/Widget/FT/Tx/T(${secret.slice(6)})/Parent ${root} 0 R/Rect[200 40 290 60]>>`,
              )
              pdf.set(root, `<</T(${secret.slice(0, 6)})/Kids[${kid} 0 R]>>`)
              return `/Annots[${kid} 0 R]`
            },
            catalog: () => `/AcroForm<</Fields[${root} 0 R]>>`,
          },
          options: { search: [{ text: `${secret.slice(0, 6)}.${secret.slice(6)}` }] },
          gone: [secret.slice(6)],
        }
      },
    ]),
    fromDrafts('writing: mirrored text that begins at its end', [
      secret => ({
        parts: { content: `BT /F 15 Tf -1 0 0 1 200 145 Tm (${Array.from(secret).reverse().join('')}) Tj ET` },
        gone: [Array.from(secret).reverse().join('')],
      }),
      secret => ({
        parts: { content: `q -1 0 0 1 300 0 cm ${shownText(Array.from(secret).reverse().join(''))} Q` },
        gone: [Array.from(secret).reverse().join('')],
      }),
    ]),
    fromDrafts('writing: names in fonts without a program', [
      fontOf(secret => `/Subtype/Type1/BaseFont/Courier/Encoding<</Type/Encoding/Differences[200/${secret}]>>`),
      fontOf(
        (secret, pdf) =>
          `/Subtype/Type1/BaseFont/Courier/Encoding ${pdf.add(`<</Type/Encoding/Differences ${pdf.add(`[200/${secret}]`)} 0 R>>`)} 0 R`,
      ),
      fontOf(
        secret =>
          '/Subtype/Type0/BaseFont/X/Encoding/Identity-H/DescendantFonts[<</Type/Font/Subtype/CIDFontType2/BaseFont/X/' +
          'CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/FontDescriptor<</Type/FontDescriptor/FontName/X/' +
          `Flags 4/Lang/${secret}/FD<</${secret}<</Flags 4>>>>>>>>]`,
      ),
    ]),
  ],
}
