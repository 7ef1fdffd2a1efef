import { addForm, UNDER } from '../../fixtures/traps'
import type { Parts } from '../../fixtures/traps'
import { BY_AREA, escapedName, fromDrafts } from '../draft'
import type { Draft } from '../draft'
import type { TrapGroup } from '../trap'

const RECT = `[${UNDER.x} ${UNDER.y} ${UNDER.x + 20} ${UNDER.y + 20}]`
const OTHER_RECT = '[200 40 220 60]'

/** A secret as a name, plain and with escapes. */
const FORMS = [
  (secret: string): string => `/${secret}`,
  escapedName,
  (secret: string): string => `/${secret.slice(0, 3)}#${secret.charCodeAt(3).toString(16)}${secret.slice(4)}`,
]
const eachForm = (
  make: (name: string, secret: string) => Parts,
  more: Partial<Draft> = {},
): ((secret: string) => Draft)[] => FORMS.map(form => secret => ({ parts: make(form(secret), secret), ...more }))

/** A check box, or one of two radio buttons, that is set to a name. */
function makeButton(name: string, isRadio: boolean): Parts {
  const refs: number[] = []
  return {
    page: (pdf, page) => {
      const [off, on] = [
        pdf.addStream('/Type/XObject/Subtype/Form/BBox[0 0 20 20]', ''),
        pdf.addStream('/Type/XObject/Subtype/Form/BBox[0 0 20 20]', '4 4 12 12 re f'),
      ]
      const look = (state: string): string =>
        `/AP<</N<<${state} ${on} 0 R/Off ${off} 0 R>>/D<<${state} ${on} 0 R/Off ${off} 0 R>>>>`
      if (!isRadio) {
        refs.push(
          pdf.add(
            `<</Type/Annot/Subtype/Widget/FT/Btn/T(box)/V${name}/DV${name}/AS${name}${look(name)}/Rect${RECT}/P ` +
              `${page} 0 R>>`,
          ),
        )
        return `/Annots[${refs[0]} 0 R]`
      }
      const parent = pdf.reserve()
      const kids = [
        [name, RECT, name],
        ['/Another', OTHER_RECT, '/Off'],
      ].map(([state = '', rect = '', shown = '']) =>
        pdf.add(
          `<</Type/Annot/Subtype/Widget/Parent ${parent} 0 R${look(state)}/AS${shown}/Rect${rect}/P ${page} 0 R>>`,
        ),
      )
      refs.push(
        pdf.set(
          parent,
          `<</FT/Btn/Ff 32768/T(radio)/V${name}/DV${name}/Kids[${kids.map(kid => `${kid} 0 R`).join(' ')}]>>`,
        ),
      )
      return `/Annots[${kids.map(kid => `${kid} 0 R`).join(' ')}]`
    },
    catalog: () => `/AcroForm<</Fields[${refs[0] ?? 0} 0 R]>>`,
  }
}

const SEPARATION = '/DeviceGray<</FunctionType 2/Domain[0 1]/C0[1]/C1[0]/N 1>>'

export const NAMES: TrapGroup = {
  name: 'PDF names',
  cause: 'PDF name objects of choices, states, resources, roles, classes, actions, colorants and private entries.',
  constructions: [
    fromDrafts('names: the value of a radio button', [
      ...eachForm(name => makeButton(name, true)),
      ...eachForm(name => makeButton(name, true), BY_AREA),
    ]),
    fromDrafts('names: the value of a check box', [
      ...eachForm(name => makeButton(name, false)),
      ...eachForm(name => makeButton(name, false), BY_AREA),
    ]),
    fromDrafts(
      'names: a state of an appearance',
      eachForm(name => ({
        page: pdf =>
          `/Annots[${pdf.add(`<</Type/Annot/Subtype/Stamp/Rect${OTHER_RECT}/AS${name}/AP<</N<<${name} ${pdf.addStream('/Type/XObject/Subtype/Form/BBox[0 0 20 20]', '0 0 9 9 re f')} 0 R>>>>>>`)} ` +
          '0 R]',
      })),
    ),
    fromDrafts(
      'names: a form XObject of the page',
      eachForm(
        name => ({
          content: `${name} Do`,
          resources: (pdf, font) =>
            `/XObject<<${name} ${addForm(pdf, font, 'BT /F 15 Tf 60 90 Td (INFORM) Tj ET')} 0 R>>`,
        }),
        { stays: ['BESIDE', 'INFORM'] },
      ),
    ),
    fromDrafts(
      'names: a font of the page',
      eachForm(
        name => ({
          content: `BT ${name} 15 Tf 60 90 Td (INFONT) Tj ET`,
          resources: pdf =>
            `/Font<<${name} ${pdf.add('<</Type/Font/Subtype/Type1/BaseFont/Courier/Encoding/WinAnsiEncoding>>')} 0 R>>`,
        }),
        { stays: ['BESIDE', 'INFONT'] },
      ),
    ),
    fromDrafts(
      'names: a graphics state and a color space',
      eachForm(name => ({
        content: `q ${name} gs ${name} cs 0.5 scn 10 10 20 20 re f Q`,
        resources: () => `/ExtGState<<${name}<</ca 1>>>>/ColorSpace<<${name}[/Separation/Spot ${SEPARATION}]>>`,
      })),
    ),
    fromDrafts(
      'names: a tag of marked content',
      eachForm(name => ({ content: `${name} BMC BT /F 15 Tf 60 90 Td (MARKED) Tj ET EMC ${name} MP` }), {
        stays: ['BESIDE', 'MARKED'],
      }),
    ),
    fromDrafts(
      'names: a property list of marked content',
      eachForm(
        name => ({
          content: `/Span ${name} BDC BT /F 15 Tf 60 90 Td (MARKED) Tj ET EMC`,
          resources: () => `/Properties<<${name}<</MCID 0>>>>`,
        }),
        { stays: ['BESIDE', 'MARKED'] },
      ),
    ),
    fromDrafts(
      'names: a role and a class of the structure',
      eachForm(
        name => ({
          content: '/P<</MCID 0>> BDC BT /F 15 Tf 60 90 Td (TAGGED) Tj ET EMC',
          page: () => '/StructParents 0',
          catalog: (pdf, page) => {
            const [tree, part] = [pdf.reserve(), pdf.reserve()]
            pdf.set(part, `<</Type/StructElem/S${name}/C${name}/P ${tree} 0 R/Pg ${page} 0 R/K 0>>`)
            pdf.set(
              tree,
              `<</Type/StructTreeRoot/K[${part} 0 ` +
                `R]/RoleMap<<${name}/P>>/ClassMap<<${name}<</O/Layout/Placement/Block>>>>/ParentTree<</Nums[0[${part} ` +
                '0 R]]>>>>',
            )
            return `/StructTreeRoot ${tree} 0 R/MarkInfo<</Marked true>>`
          },
        }),
        { stays: ['BESIDE', 'TAGGED'] },
      ),
    ),
    fromDrafts(
      'names: a named action',
      eachForm(name => ({
        catalog: () => `/OpenAction<</S/Named/N${name}>>`,
        page: pdf => `/Annots[${pdf.add(`<</Type/Annot/Subtype/Link/Rect${OTHER_RECT}/A<</S/Named/N${name}>>>>`)} 0 R]`,
      })),
    ),
    fromDrafts('names: a colorant', [
      ...eachForm(name => ({
        content: 'q /CS cs .5 scn 10 10 20 20 re f Q',
        resources: () => `/ColorSpace<</CS[/Separation${name} ${SEPARATION}]>>`,
      })),
      secret => ({
        parts: {
          content: 'q /CS cs .5 scn 10 10 20 20 re f Q',
          resources: () =>
            `/ColorSpace<</CS[/DeviceN[/${secret}]${SEPARATION}<</Subtype/DeviceN/Colorants<</${secret}[/Separation/${secret} ` +
            `${SEPARATION}]>>/Process<</ColorSpace/DeviceGray/Components[/${secret}]>>>>]>>`,
        },
      }),
    ]),
    fromDrafts('names: keys of private entries', [
      ...eachForm(name => ({ catalog: () => `/PieceInfo<<${name}<</LastModified(D:2026)/Private 1>>>>${name} 7` })),
      ...eachForm(name => ({
        page: () => `/PieceInfo<</App<</LastModified(D:2026)/Private<<${name} 3>>>>>>${name}[1 2]`,
      })),
    ]),
    fromDrafts(
      'names: a style of a note',
      eachForm(name => ({
        page: pdf =>
          `/Annots[${pdf.add(`<</Type/Annot/Subtype/Text/Name${name}/Rect${OTHER_RECT}/Contents(x)>>`)} 0 R ` +
          `${pdf.add(`<</Type/Annot/Subtype/Stamp/Name${name}/Rect${OTHER_RECT}>>`)} 0 R]`,
      })),
    ),
    fromDrafts('names: the name of a font', [
      secret => ({
        parts: {
          content: 'BT /G 15 Tf 60 90 Td (INFONT) Tj ET',
          resources: pdf =>
            '/Font<</G ' +
            `${pdf.add(`<</Type/Font/Subtype/Type1/BaseFont/${secret}-Bold/FirstChar 65/LastChar 90/Widths[${'600 '.repeat(26)}]/FontDescriptor ${pdf.add(`<</Type/FontDescriptor/FontName/${secret}-Bold/FontFamily(${secret})/Flags 32/FontBBox[0 -200 1000 900]/Ascent 900/Descent -200/ItalicAngle 0/StemV 80/CapHeight 700>>`)} 0 R/Encoding/WinAnsiEncoding>>`)} ` +
            '0 R>>',
        },
        stays: ['BESIDE', 'INFONT'],
      }),
      secret => ({
        parts: {
          content: 'BT /G 15 Tf 60 90 Td (INFONT) Tj ET',
          resources: pdf =>
            '/Font<</G ' +
            `${pdf.add(`<</Type/Font/Subtype/Type1/Name/${secret}/BaseFont/Courier/Encoding/WinAnsiEncoding>>`)} 0 ` +
            'R>>',
        },
        stays: ['BESIDE', 'INFONT'],
      }),
    ]),
    fromDrafts('names: a template and a requirement', [
      secret => ({ parts: { page: () => `/TemplateInstantiated/${secret}` } }),
      secret => ({
        parts: {
          catalog: () =>
            `/Requirements[<</Type/Requirement/S/${secret}/RH<</Type/ReqHandler/S/JS/Script(${secret})>>>>]/Extensions<</${secret}<</BaseVersion/1.7/ExtensionLevel ` +
            '3>>>>',
        },
      }),
    ]),
  ],
}
