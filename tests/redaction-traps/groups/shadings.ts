import type { PdfWriter } from '../../fixtures/pdf-writer'
import { UNDER } from '../../fixtures/traps'
import type { Parts } from '../../fixtures/traps'
import { BY_AREA, fromDrafts } from '../draft'
import type { Draft } from '../draft'
import type { TrapGroup } from '../trap'

/** Side of the sampled square that covers the page of 300 points. */
const SIDE = 60

/** Gray samples of an image with the secret in the row under the area. */
function makeSamples(secret: string, { rows = SIDE, row = 29 } = {}): Buffer {
  const data = Buffer.alloc(SIDE * rows)
  for (let index = 0; index < data.length; index++) data[index] = 20 + ((index * 67) % 200)
  data.write(secret, row * SIDE + 15, 'latin1')
  return data
}

const addSquare = (pdf: PdfWriter, secret: string): number =>
  pdf.addStream(`/FunctionType 0/Domain[0 1 0 1]/Range[0 1]/Size[${SIDE} ${SIDE}]/BitsPerSample 8`, makeSamples(secret))
const addLine = (pdf: PdfWriter, secret: string): number =>
  pdf.addStream(
    `/FunctionType 0/Domain[0 1]/Range[0 1]/Size[${SIDE}]/BitsPerSample 8`,
    makeSamples(secret, { rows: 1, row: 0 }),
  )
const addStitched = (pdf: PdfWriter, secret: string): number =>
  pdf.add(
    `<</FunctionType 3/Domain[0 1]/Functions[${addLine(pdf, secret)} 0 R ${addLine(pdf, secret)} 0 ` +
      'R]/Bounds[.5]/Encode[0 1 1 0]>>',
  )

/** Shadings by name. Each covers the page, or only the area, in gray. */
const functionBased = (pdf: PdfWriter, secret: string): string =>
  '<</ShadingType 1/ColorSpace/DeviceGray/Domain[0 1 0 1]/Matrix[300 0 0 300 0 0]/Function ' +
  `${addSquare(pdf, secret)} 0 R>>`
const axial = (pdf: PdfWriter, secret: string, makeFunction = addLine): string =>
  '<</ShadingType 2/ColorSpace/DeviceGray/Coords[0 0 300 0]/Extend[true true]/Function ' +
  `${makeFunction(pdf, secret)} 0 R>>`
const radial = (pdf: PdfWriter, secret: string, makeFunction = addLine): string =>
  '<</ShadingType 3/ColorSpace/DeviceGray/Coords[114 150 0 114 150 60]/Extend[true true]/Function ' +
  `${makeFunction(pdf, secret)} 0 R>>`

/** Decode arrays that map the letters A to Z under the area, as coordinates and as gray values. */
function decodeLetters(): string {
  const over = ([from, to]: [number, number]): string => {
    const step = (to - from) / 25
    return `${(from - 65 * step).toFixed(4)} ${(from + 190 * step).toFixed(4)}`
  }
  return `/Decode[${over([UNDER.x, UNDER.x + UNDER.width])} ${over([UNDER.y, UNDER.y + UNDER.height])} ${over([0, 1])}]`
}

/** A lattice mesh whose data are letters: three bytes per vertex, four vertices per secret. */
function latticeMesh(pdf: PdfWriter, secret: string): string {
  const corners = ['AAA', 'IAZ', 'QAA', 'ZAZ', 'AZZ', 'IZA', 'QZZ', 'ZZA'].join('')
  return (
    `${pdf.addStream(`/ShadingType 5/ColorSpace/DeviceGray/BitsPerCoordinate 8/BitsPerComponent 8/VerticesPerRow 4${decodeLetters()}`, `${corners}${secret}${corners}`)} ` +
    '0 R'
  )
}

/** Free-form triangles and patches under the area, with a flag before each element. */
function triangleMesh(pdf: PdfWriter, secret: string): string {
  const vertices = Array.from(
    { length: 12 },
    (_, index) => `\0${'AZQ'[index % 3] ?? ''}${'AZ'[index % 2] ?? ''}${secret[index] ?? 'A'}`,
  )
  return (
    `${pdf.addStream(`/ShadingType 4/ColorSpace/DeviceGray/BitsPerCoordinate 8/BitsPerComponent 8/BitsPerFlag 8${decodeLetters()}`, Buffer.from(vertices.join(''), 'latin1'))} ` +
    '0 R'
  )
}

function patchMesh(pdf: PdfWriter, type: 6 | 7): string {
  const edge = ['AA', 'AI', 'AQ', 'AZ', 'IZ', 'QZ', 'ZZ', 'ZQ', 'ZI', 'ZA', 'QA', 'IA']
  const inner = type === 7 ? ['II', 'IQ', 'QQ', 'QI'] : []
  return (
    `${pdf.addStream(`/ShadingType ${type}/ColorSpace/DeviceGray/BitsPerCoordinate 8/BitsPerComponent 8/BitsPerFlag 8${decodeLetters()}`, Buffer.from(`\0${[...edge, ...inner].join('')}AZAZ`, 'latin1'))} ` +
    '0 R'
  )
}

type MakeShading = (pdf: PdfWriter, secret: string) => string

const CLIP = `${UNDER.x} ${UNDER.y} ${UNDER.width} ${UNDER.height} re W n`

/** Ways in which a page shows a shading. */
const USES: ((shading: MakeShading, secret: string, isClipped: boolean) => Parts)[] = [
  (shading, secret, isClipped) => ({
    content: `q ${isClipped ? CLIP : ''} /S sh Q`,
    resources: pdf => `/Shading<</S ${shading(pdf, secret)}>>`,
  }),
  (shading, secret, isClipped) => ({
    content:
      `q /Pattern cs /P scn ${isClipped ? `${UNDER.x} ${UNDER.y} ${UNDER.width} ${UNDER.height}` : '20 100 250 80'} ` +
      're f Q',
    resources: pdf => `/Pattern<</P<</PatternType 2/Shading ${shading(pdf, secret)}>>>>`,
  }),
  (shading, secret, isClipped) => ({
    content: '/X Do',
    resources: pdf =>
      '/XObject<</X ' +
      `${pdf.addStream(`/Type/XObject/Subtype/Form/BBox[0 0 300 300]/Resources<</Shading<</S ${shading(pdf, secret)}>>>>`, `q ${isClipped ? CLIP : ''} /S sh Q`)} ` +
      '0 R>>',
  }),
]

function listUses(
  shading: MakeShading,
  { isClipped, hasSecret = true }: { isClipped: boolean; hasSecret?: boolean },
): ((secret: string) => Draft)[] {
  return USES.map(use => secret => ({
    ...BY_AREA,
    parts: use(shading, secret, isClipped),
    gone: hasSecret ? [secret] : [],
    seenBy: hasSecret ? ['bytes', 'pixels'] : ['pixels'],
    pixels: UNDER,
  }))
}

export const SHADINGS: TrapGroup = {
  name: 'Shadings',
  cause: 'Shadings, such as sampled functions and meshes. They must not show if somebody removes the box.',
  constructions: [
    fromDrafts('shading: a sampled function over the page', listUses(functionBased, { isClipped: false })),
    fromDrafts('shading: a sampled function in a clip', listUses(functionBased, { isClipped: true })),
    fromDrafts('shading: axial, over the page', listUses(axial, { isClipped: false, hasSecret: false })),
    fromDrafts('shading: axial, in a clip', listUses(axial, { isClipped: true })),
    fromDrafts('shading: radial, over the page', listUses(radial, { isClipped: false, hasSecret: false })),
    fromDrafts('shading: radial, in a clip', listUses(radial, { isClipped: true })),
    fromDrafts('shading: stitched functions', [
      ...listUses((pdf, secret) => axial(pdf, secret, addStitched), { isClipped: true }).slice(0, 2),
      ...listUses((pdf, secret) => radial(pdf, secret, addStitched), { isClipped: true }).slice(0, 1),
    ]),
    fromDrafts('shading: a mesh of triangles', listUses(triangleMesh, { isClipped: false, hasSecret: false })),
    fromDrafts('shading: a lattice mesh', listUses(latticeMesh, { isClipped: false })),
    fromDrafts(
      'shading: Coons patches',
      listUses(pdf => patchMesh(pdf, 6), { isClipped: false, hasSecret: false }),
    ),
    fromDrafts(
      'shading: tensor patches',
      listUses(pdf => patchMesh(pdf, 7), { isClipped: false, hasSecret: false }),
    ),
  ],
}
