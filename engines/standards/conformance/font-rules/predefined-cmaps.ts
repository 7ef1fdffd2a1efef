import type { CharacterCollection } from '../../../pdf/fonts'

/** Names of the predefined CMaps (ISO 32000-1, table 118), with the last supplement that each covers. */
const COLLECTIONS: Readonly<Record<string, string>> = {
  GB1:
    'GB-EUC-H:0 GB-EUC-V:0 GBpc-EUC-H:0 GBpc-EUC-V:0 GBK-EUC-H:2 GBK-EUC-V:2 GBKp-EUC-H:2 GBKp-EUC-V:2 GBK2K-H:5 ' +
    'GBK2K-V:5 UniGB-UCS2-H:4 UniGB-UCS2-V:4 UniGB-UTF16-H:5 UniGB-UTF16-V:5',
  CNS1:
    'B5pc-H:0 B5pc-V:0 HKscs-B5-H:6 HKscs-B5-V:6 ETen-B5-H:0 ETen-B5-V:0 ETenms-B5-H:0 ETenms-B5-V:0 CNS-EUC-H:0 ' +
    'CNS-EUC-V:0 UniCNS-UCS2-H:3 UniCNS-UCS2-V:3 UniCNS-UTF16-H:7 UniCNS-UTF16-V:7',
  Japan1:
    '83pv-RKSJ-H:1 90ms-RKSJ-H:2 90ms-RKSJ-V:2 90msp-RKSJ-H:2 90msp-RKSJ-V:2 90pv-RKSJ-H:1 Add-RKSJ-H:1 ' +
    'Add-RKSJ-V:1 EUC-H:1 EUC-V:1 Ext-RKSJ-H:2 Ext-RKSJ-V:2 H:1 V:1 UniJIS-UCS2-H:4 UniJIS-UCS2-V:4 ' +
    'UniJIS-UCS2-HW-H:4 UniJIS-UCS2-HW-V:4 UniJIS-UTF16-H:7 UniJIS-UTF16-V:7',
  Korea1:
    'KSC-EUC-H:0 KSC-EUC-V:0 KSCms-UHC-H:1 KSCms-UHC-V:1 KSCms-UHC-HW-H:1 KSCms-UHC-HW-V:1 KSCpc-EUC-H:0 ' +
    'UniKS-UCS2-H:1 UniKS-UCS2-V:1 UniKS-UTF16-H:2 UniKS-UTF16-V:2',
}

/** Adobe publishes these CMaps, too, though ISO 32000 doesn't list them. */
const IDENTITY_OF_COLLECTION = /^Adobe-(GB1|CNS1|Japan1|Japan2|Korea1|KR)-(\d)$/

/** The CIDs of each collection by its last supplement. All of them stand for characters (ISO 32000-2, 9.10.2). */
const CID_COUNTS: Readonly<Record<string, number>> = {
  GB1: 30_572,
  CNS1: 19_179,
  Japan1: 23_060,
  Korea1: 18_352,
  KR: 22_897,
}

let byName: ReadonlyMap<string, CharacterCollection> | undefined

/** Whether a name is Identity-H or Identity-V. */
export function isIdentity(name: string | undefined): boolean {
  return name === 'Identity-H' || name === 'Identity-V'
}

/** Whether ISO 32000-1, table 118 lists a CMap name. */
export function isPredefined(name: string | undefined): boolean {
  return name !== undefined && (isIdentity(name) || listCMaps().has(name))
}

/** The character collection that a named CMap maps to. */
export function collectionOfCMap(name: string): CharacterCollection | undefined {
  const [, ordering, supplement] = IDENTITY_OF_COLLECTION.exec(name) ?? []
  if (ordering) return { registry: 'Adobe', ordering, supplement: Number(supplement) }
  return isIdentity(name) ? { registry: 'Adobe', ordering: 'Identity', supplement: 0 } : listCMaps().get(name)
}

/** Whether the meaning of a CID is known from its character collection. CID 0 stands for U+FFFD. */
export function isCharacter({ registry, ordering }: CharacterCollection, cid: number): boolean {
  return registry === 'Adobe' && ordering !== undefined && cid < (CID_COUNTS[ordering] ?? 0)
}

function listCMaps(): ReadonlyMap<string, CharacterCollection> {
  byName ??= new Map(
    Object.entries(COLLECTIONS).flatMap(([ordering, list]) =>
      list.split(' ').map((item): [string, CharacterCollection] => {
        const [name = '', supplement] = item.split(':')
        return [name, { registry: 'Adobe', ordering, supplement: Number(supplement) }]
      }),
    ),
  )
  return byName
}
