import type { PdfWriter } from '../../fixtures/pdf-writer'
import type { ByteTrap } from './byte-trap'

/** Operators of ISO 32000-2, annex A, with operands. Names are of `RESOURCES`. */
const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  b: [],
  B: [],
  'b*': [],
  'B*': [],
  BDC: ['/Span', '<</Lang(en)>>'],
  BMC: ['/Span'],
  BX: [],
  c: ['1', '2', '3', '4', '5', '6'],
  cm: ['1', '0', '0', '1', '0', '0'],
  cs: ['/DeviceGray'],
  CS: ['/DeviceGray'],
  d: ['[3 1]', '0'],
  d0: ['500', '0'],
  d1: ['500', '0', '0', '0', '500', '500'],
  Do: ['/O'],
  DP: ['/Span', '<</Lang(en)>>'],
  EX: [],
  f: [],
  F: [],
  'f*': [],
  g: ['.5'],
  G: ['.5'],
  gs: ['/E'],
  h: [],
  i: ['1'],
  j: ['1'],
  J: ['1'],
  k: ['0', '0', '0', '.5'],
  K: ['0', '0', '0', '.5'],
  l: ['30', '30'],
  m: ['10', '10'],
  M: ['10'],
  MP: ['/Span'],
  n: [],
  re: ['5', '5', '20', '20'],
  rg: ['0', '0', '.5'],
  RG: ['0', '0', '.5'],
  ri: ['/Perceptual'],
  s: [],
  S: [],
  sc: ['.5'],
  SC: ['.5'],
  scn: ['.5'],
  SCN: ['.5'],
  sh: ['/H'],
  "'": ['(a)'],
  '"': ['0', '0', '(a)'],
  'T*': [],
  Tc: ['0'],
  Td: ['5', '5'],
  TD: ['5', '5'],
  Tf: ['/F', '10'],
  Tj: ['(a)'],
  TJ: ['[(a)20(b)]'],
  TL: ['12'],
  Tm: ['1', '0', '0', '1', '5', '5'],
  Tr: ['0'],
  Ts: ['0'],
  Tw: ['0'],
  Tz: ['100'],
  v: ['1', '2', '3', '4'],
  w: ['1'],
  W: [],
  'W*': [],
  y: ['1', '2', '3', '4'],
  XQ: ['1'],
}

const FONT = '<</Type/Font/Subtype/Type1/BaseFont/Courier>>'

/** Resources of each content. */
const RESOURCES =
  `/Font<</F ${FONT}>>/ExtGState<</E<</LW 1>>>>/ColorSpace<</S/DeviceGray>>/Shading<</H<</ShadingType 2/ColorSpace/` +
  'DeviceGray/Coords[0 0 60 0]/Function<</FunctionType 2/Domain[0 1]/N 1/C0[1]/C1[.5]>>>>>>'

/** Ways to write the secret as an operand, or as part of one. */
const HIDDEN: Readonly<Record<string, (secret: string) => string>> = {
  string: secret => `(${secret})`,
  'hexadecimal string': secret => `<${Buffer.from(secret).toString('hex')}>`,
  name: secret => `/${secret}`,
  array: secret => `[(${secret}) 1]`,
  dictionary: secret => `<</A(${secret})>>`,
}

/** Text and graphics objects around an operator, so that it is allowed where it belongs and tried where it isn't. */
const AROUND: Readonly<Record<string, (operation: string) => string>> = {
  'in a text object': operation => `BT /F 10 Tf 5 30 Td (a) Tj ${operation} (b) Tj ET`,
  'in a path': operation => `10 10 m 20 20 l ${operation} S 5 5 20 20 re f`,
  'on its own': operation => `${operation} 5 5 20 20 re f`,
}

/** Keys of inline images (ISO 32000-2, tables 91 and 92). */
const INLINE_KEYS =
  'BPC|BitsPerComponent|CS|ColorSpace|D|Decode|DP|DecodeParms|F|Filter|H|Height|IM|ImageMask|I|Interpolate|W|Width|L|Length|' +
  'Intent|Type|Subtype|Name|Metadata|XQ'

/** Streams with content. Each takes the content to what a form draws. */
const STREAMS: Readonly<Record<string, (content: string, pdf: PdfWriter) => { content: string; resources: string }>> = {
  'a form': content => ({ content, resources: RESOURCES }),
  'a form in a form': (content, pdf) => ({
    content: '/I Do',
    resources: `/XObject<</I ${pdf.addStream(`/Type/XObject/Subtype/Form/BBox[0 0 60 60]/Resources<<${RESOURCES}>>`, content)} 0 R>>`,
  }),
  'a glyph': (content, pdf) => ({
    content: 'BT /T 10 Tf 5 5 Td (x) Tj ET',
    resources: `/Font<</T<</Type/Font/Subtype/Type3/FontBBox[0 0 60 60]/FontMatrix[.1 0 0 .1 0 0]/FirstChar 120/LastChar 120/Widths[60]/Encoding<</Differences[120/x]>>/Resources<<${RESOURCES}>>/CharProcs<</x ${pdf.addStream('', `60 0 d0 ${content}`)} 0 R>>>>>>`,
  }),
  'a pattern': (content, pdf) => ({
    content: '/Pattern cs /P scn 0 0 60 60 re f',
    resources: `/Pattern<</P ${pdf.addStream(`/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 60 60]/XStep 60/YStep 60/Resources<<${RESOURCES}>>`, content)} 0 R>>`,
  }),
  'a soft mask': (content, pdf) => ({
    content: '/M gs 5 5 40 40 re f',
    resources: `/ExtGState<</M<</SMask<</S/Luminosity/G ${pdf.addStream(`/Type/XObject/Subtype/Form/BBox[0 0 60 60]/Group<</S/Transparency/CS/DeviceGray>>/Resources<<${RESOURCES}>>`, `1 g ${content}`)} 0 R>>>>>>`,
  }),
}

/** A trap for each operand of each operator, in each kind of content stream in turn. */
export function listOperatorTraps(): ByteTrap[] {
  const made: { name: string; write: (secret: string) => string; isBroken?: boolean }[] = []
  for (const [operator, operands] of Object.entries(OPERATORS)) {
    const given = operands.join(' ')
    for (const [place, around] of Object.entries(AROUND)) {
      const add = (how: string, write: (secret: string) => string): void => {
        const isBroken = !how.includes('comment')
        made.push({ name: `${operator} ${place}, ${how}`, write: secret => around(write(secret)), isBroken })
      }
      for (const [kind, hide] of Object.entries(HIDDEN)) {
        add(`a ${kind} before its operands`, secret => `${hide(secret)} ${given} ${operator}`)
        for (const index of operands.keys())
          // Some readers show what is in the place of a shown text, so that the secret is on the page.
          if (!/^['"]|^T[jJ]/.test(operator))
            add(`a ${kind} as operand ${index}`, secret =>
              [...operands.slice(0, index), hide(secret), ...operands.slice(index + 1), operator].join(' '),
            )
      }
      add('a comment', secret => `${given} %${secret}\n${operator}`)
      add('a comment after it', secret => `${given} ${operator} %${secret}\n`)
    }
  }
  for (const key of INLINE_KEYS.split('|'))
    for (const [kind, hide] of Object.entries(HIDDEN))
      made.push({
        name: `inline image: a ${kind} under ${key}`,
        isBroken: true,
        write: secret => `q 40 0 0 40 0 0 cm BI /W 2/H 2/CS/G/BPC 8/${key} ${hide(secret)} ID abcd EI Q`,
      })
  for (const [name, data] of Object.entries({
    'inline image: data after its last row': 'abcd',
    'inline image: data after its last row and an end': 'abcd EI ',
  }))
    made.push({ name, write: secret => `q 40 0 0 40 0 0 cm BI /W 2/H 2/CS/G/BPC 8 ID ${data}${secret} EI Q` })
  made.push({
    name: 'inline image: a comment in its dictionary',
    write: secret => `q 40 0 0 40 0 0 cm BI /W 2/H 2 %${secret}\n/CS/G/BPC 8 ID abcd EI Q`,
  })
  const streams = Object.entries(STREAMS)
  return made.map(({ name, write, isBroken = false }, index) => {
    const [stream, draw] = streams[index % streams.length] as (typeof streams)[number]
    return { name: `${name}, in ${stream}`, isBroken, draw: (secret, pdf) => draw(write(secret), pdf) }
  })
}
