import type { Parts } from '../../fixtures/traps'
import { fromDrafts, wide } from '../draft'
import type { Draft } from '../draft'
import type { TrapGroup } from '../trap'
import { action, annotation, inCatalog, onPage, RECT } from './object-drafts'

/** A tagged page whose structure element has these entries. */
const tagged =
  (make: (secret: string) => string) =>
  (secret: string): Draft => {
    const parts: Parts = {
      content: '/P<</MCID 0>> BDC BT /F 15 Tf 60 90 Td (TAGGED) Tj ET EMC',
      page: () => '/StructParents 0',
      catalog: (pdf, page) => {
        const [tree, part] = [pdf.reserve(), pdf.reserve()]
        pdf.set(part, `<</Type/StructElem/S/P/P ${tree} 0 R/Pg ${page} 0 R/K 0${make(secret)}>>`)
        pdf.set(tree, `<</Type/StructTreeRoot/K[${part} 0 R]/ParentTree<</Nums[0[${part} 0 R]]>>>>`)
        return `/StructTreeRoot ${tree} 0 R/MarkInfo<</Marked true>>`
      },
    }
    return { parts, stays: ['BESIDE', 'TAGGED'] }
  }

export const DOCUMENT_OBJECTS: TrapGroup = {
  name: 'Structure and rare objects',
  cause: 'Strings in the structure tree, threads, collections, measures, media, fields and private data.',
  constructions: [
    fromDrafts('text in the structure tree', [
      tagged(secret => `/ActualText${wide(secret)}`),
      tagged(secret => `/Alt(${secret})`),
      tagged(secret => `/E(${secret})`),
      tagged(secret => `/T(${secret})/ID(x)`),
      tagged(secret => `/A<</O/UserProperties/P[<</N(${secret})/V(${secret})/F(${secret})>>]>>`),
      tagged(secret => `/Lang(${secret})/PhoneticAlphabet/ipa/Phoneme(${secret})`),
    ]),
    fromDrafts('threads of articles', [
      inCatalog((secret, pdf, page) => {
        const [thread, bead] = [pdf.reserve(), pdf.reserve()]
        pdf.set(bead, `<</Type/Bead/T ${thread} 0 R/N ${bead} 0 R/V ${bead} 0 R/P ${page} 0 R/R[0 0 10 10]>>`)
        pdf.set(thread, `<</Type/Thread/F ${bead} 0 R/I<</Title(${secret})/Author${wide(secret)}>>>>`)
        return `/Threads[${thread} 0 R]`
      }),
      action(secret => `/S/Thread/D(${secret})/F(x.pdf)`),
    ]),
    fromDrafts('a collection of files', [
      inCatalog(
        secret =>
          `/Collection<</Type/Collection/Schema<</A<</Type/CollectionField/Subtype/S/N(${secret})>>>>/D(${secret})>>`,
      ),
      inCatalog(
        (secret, pdf) =>
          `/Collection<</Type/Collection/View/D>>/Names<</EmbeddedFiles<</Names[(x)<</Type/Filespec/F(x.txt)/CI<</Type/CollectionItem/A(${secret})/B<</D(${secret})/P(${secret})>>>>/EF<</F ` +
          `${pdf.addStream('/Type/EmbeddedFile', 'other')} 0 R>>>>]>>>>`,
      ),
      inCatalog(secret => `/Collection<</Type/Collection/Folders<</ID 0/Name(${secret})/Desc(${secret})>>>>`),
    ]),
    fromDrafts('names and descriptions of associated files', [
      inCatalog(
        (secret, pdf) =>
          `/AF[${pdf.add(`<</Type/Filespec/F(${secret}.xml)/UF(${secret}.xml)/Desc(${secret})/AFRelationship/Data/EF<</F ${pdf.addStream('/Type/EmbeddedFile', 'other')} 0 R>>>>`)} ` +
          '0 R]',
      ),
      annotation(
        (secret, pdf) =>
          `/Subtype/FileAttachment/Contents(x)/FS<</Type/Filespec/F(${secret}.txt)/UF(${secret}.txt)/EF<</F ` +
          `${pdf.addStream('/Type/EmbeddedFile/Params<</Size 5>>', 'other')} 0 R>>>>`,
      ),
      inCatalog(
        (secret, pdf) =>
          `/AF[${pdf.add(`<</Type/Filespec/F(x.xml)/RF<</F[(${secret}.xml)${pdf.addStream('/Type/EmbeddedFile', 'other')} 0 R]>>/ID[(${secret})(x)]/EF<</F ${pdf.addStream('/Type/EmbeddedFile', 'other')} 0 R>>>>`)} ` +
          '0 R]',
      ),
    ]),
    fromDrafts('a page captured from the web', [
      onPage(secret => `/ID(${secret})/SpiderInfo<</V 1>>`),
      inCatalog(
        (secret, pdf, page) =>
          '/SpiderInfo<</V ' +
          `1/C[${pdf.add(`<</URL(https://example.com/${secret})/L 1/H(${secret})/P(${secret})/CT(text/html)>>`)} 0 ` +
          `R]>>/Names<</URLS<</Names[(https://example.com/${secret})<</S/SPS/O ${page} 0 ` +
          `R/ID(x)/T(${secret})/SI<</AU(https://${secret}.example.com)>>>>]>>>>`,
      ),
    ]),
    fromDrafts('measures of the page', [
      onPage(
        secret =>
          '/VP[<</Type/Viewport/BBox[0 0 100 ' +
          `100]/Name(${secret})/Measure<</Type/Measure/Subtype/RL/R(${secret})/X[<</Type/NumberFormat/U(${secret})/C ` +
          '1>>]/D[]/A[]>>>>]',
      ),
      annotation(
        secret =>
          `/Subtype/Line/L[200 40 290 60]/Contents(x)/Measure<</Type/Measure/R(${secret})/X[<</U(x)/C ` +
          `1/PS(${secret})/SS(${secret})/RD(${secret})>>]/D[]/A[]>>`,
      ),
      onPage(
        secret =>
          '/VP[<</Type/Viewport/BBox[0 0 9 ' +
          `9]/Measure<</Type/Measure/Subtype/GEO/GCS<</Type/GEOGCS/WKT(${secret})>>/GPTS[]>>>>]`,
      ),
    ]),
    fromDrafts('views of 3D and rich media', [
      annotation(
        (secret, pdf) =>
          `/Subtype/3D/3DD ${pdf.addStream('/Type/3D/Subtype/U3D', 'u3d')} 0 ` +
          `R/3DV<</Type/3DView/XN(${secret})/IN(${secret})>>`,
      ),
      annotation(
        (secret, pdf) =>
          '/Subtype/3D/3DD ' +
          `${pdf.addStream(`/Type/3D/Subtype/U3D/VA[<</Type/3DView/XN${wide(secret)}>>]/OnInstantiate ${pdf.addStream('', `// ${secret}`)} 0 R`, 'u3d')} ` +
          '0 R',
      ),
      annotation(
        secret =>
          `/Subtype/RichMedia/RichMediaContent<</Assets<</Names[(${secret}.swf)<</Type/Filespec/F(${secret}.swf)>>]>>/Configurations[<</Name(${secret})/Instances[<</Params<</FlashVars(${secret})>>>>]>>]/Views[<</Type/3DView/XN(${secret})>>]>>`,
      ),
      annotation(
        secret =>
          `/Subtype/Screen/T(${secret})/A<</S/Rendition/OP ` +
          `0/R<</Type/Rendition/S/MR/N(${secret})/C<</S/MCD/N(${secret})/D(${secret}.mp4)/CT(video/mp4)/Alt[(en)(${secret})]>>>>>>`,
      ),
      annotation(secret => `/Subtype/Movie/T(${secret})/Movie<</F(${secret}.avi)>>`),
    ]),
    fromDrafts('text of rare annotations', [
      annotation(secret => `/Subtype/Redact/OverlayText(${secret})/DA(/Helv 9 Tf)/Repeat true`),
      annotation(secret => `/Subtype/Polygon/Vertices[200 40 290 60 250 50]/Contents(x)/Subj(${secret})`),
      annotation(secret => `/Subtype/Text/Contents(x)/StateModel(Review)/State(${secret})`),
      annotation(secret => `/Subtype/Caret/Contents(x)/NM(${secret})/Lang(${secret})`),
      annotation(secret => `/Subtype/Highlight/QuadPoints[200 60 290 60 200 40 290 40]/T(${secret})/Contents(x)`),
      annotation(secret => `/Subtype/Watermark/Contents(${secret})/FixedPrint<</Type/FixedPrint/Note(${secret})>>`),
      annotation(
        secret => `/Subtype/Projection/Contents(${secret})/ExData<</Type/ExData/Subtype/Markup3D/Note(${secret})>>`,
      ),
    ]),
    fromDrafts('output intents and viewer settings', [
      inCatalog(
        secret =>
          `/OutputIntents[<</Type/OutputIntent/S/GTS_PDFX/OutputConditionIdentifier(${secret})/OutputCondition(${secret})/Info(${secret})/RegistryName(${secret})>>]`,
      ),
      inCatalog(secret => `/ViewerPreferences<</Note(${secret})>>/Lang(${secret})`),
      inCatalog(
        (secret, _, page) =>
          `/DPartRoot<</Type/DPartRoot/NodeNameList[/${secret}]/DPartRootNode<</Type/DPart/DPM<</Customer(${secret})>>/Start ` +
          `${page} 0 R>>>>`,
      ),
    ]),
    fromDrafts('private data of the document', [
      inCatalog(secret => `/PieceInfo<</App<</LastModified(D:2026)/Private<</A[(${secret})[(${secret})]]>>>>>>`),
      onPage(
        (secret, pdf) =>
          `/PieceInfo<</App<</LastModified(D:2026)/Private ${pdf.addStream('', Buffer.from(secret, 'utf16le'))} 0 ` +
          'R>>>>',
      ),
      onPage(secret => `/B[]/PresSteps<</Type/NavNode/NA<</S/JavaScript/JS(// ${secret})>>>>`),
    ]),
    fromDrafts('names in other name trees', [
      inCatalog(
        (secret, pdf) =>
          `/Names<</AP<</Names[(${secret})${pdf.addStream('/Type/XObject/Subtype/Form/BBox[0 0 9 9]', '0 0 9 9 re f')} ` +
          '0 R]>>>>',
      ),
      inCatalog(
        (secret, _, page) =>
          `/Names<</Pages<</Names[(${secret})${page} 0 R]>>/Templates<</Names[(${secret})${page} 0 R]>>>>`,
      ),
      inCatalog(
        secret =>
          `/Names<</Renditions<</Names[(${secret})<</Type/Rendition/S/MR/N(${secret})>>]>>/IDS<</Names[(${secret})<</S/SPS>>]>>>>`,
      ),
      inCatalog(
        (secret, _, page) =>
          `/Names<</Dests<</Kids[<</Limits[(${secret})(${secret})]/Names[(${secret})<</D[${page} 0 ` +
          `R/Fit]/Note(${secret})>>]>>]>>>>`,
      ),
    ]),
    fromDrafts('document properties', [
      ...['Title', 'Author', 'Subject', 'Keywords', 'Creator', 'Producer'].map(key => (secret: string): Draft => ({
        parts: { trailer: pdf => `/Info ${pdf.add(`<</${key}(${secret})>>`)} 0 R` },
      })),
      secret => ({
        parts: {
          trailer: pdf =>
            `/Info ${pdf.add(`<</Company${wide(secret)}/SourceModified(D:2026 ${secret})/Trapped/${secret}>>`)} 0 R`,
        },
      }),
    ]),
    fromDrafts('every entry of a bookmark', [
      inCatalog((secret, pdf, page) => {
        const [root, entry] = [pdf.reserve(), pdf.reserve()]
        pdf.set(entry, `<</Title(x)/Parent ${root} 0 R/A<</S/GoTo/D(${secret})>>/SE(${secret})>>`)
        pdf.set(root, `<</Type/Outlines/First ${entry} 0 R/Last ${entry} 0 R/Count 1>>`)
        return `/Outlines ${root} 0 R/Names<</Dests<</Names[(${secret})[${page} 0 R/Fit]]>>>>`
      }),
      inCatalog((secret, pdf) => {
        const [root, entry] = [pdf.reserve(), pdf.reserve()]
        pdf.set(
          entry,
          `<</Title(see ${secret} there)/Parent ${root} 0 R/A<</S/URI/URI(https://example.com/${secret})>>>>`,
        )
        pdf.set(root, `<</Type/Outlines/First ${entry} 0 R/Last ${entry} 0 R/Count 1>>`)
        return `/Outlines ${root} 0 R`
      }),
    ]),
    fromDrafts('every entry of a field', [
      ...['/TU', '/T', '/V', '/DV'].map(key => (secret: string): Draft => {
        let field = 0
        return {
          parts: {
            page: (pdf, page) =>
              `/Annots[${(field = pdf.add(`<</Type/Annot/Subtype/Widget/FT/Tx${key === '/T' ? '' : '/T(f)'}${key}(${secret})/Rect${RECT}/DA(/F 9 Tf)/P ${page} 0 R>>`))} ` +
              '0 R]',
            catalog: () => `/AcroForm<</Fields[${field} 0 R]>>`,
          },
        }
      }),
      ...['/Opt[(', '/MK<</CA('].map(start => (secret: string): Draft => {
        let field = 0
        return {
          parts: {
            page: (pdf, page) =>
              `/Annots[${(field = pdf.add(`<</Type/Annot/Subtype/Widget/FT/Btn/T(f)/Ff 65536${start}${secret}${start.startsWith('/Opt') ? ')]' : `)/RC(${secret})/AC(${secret})>>`}/Rect${RECT}/P ${page} 0 R>>`))} ` +
              '0 R]',
            catalog: () => `/AcroForm<</Fields[${field} 0 R]>>`,
          },
        }
      }),
    ]),
  ],
}
