import { NAMESPACES } from './namespaces'

/** Names by their value type, separated by spaces. */
export type NamesByType = Readonly<Record<string, string>>

/** A structured value type: the namespace of its fields, and the fields by value type. */
export interface Structure {
  namespace: string
  fields: NamesByType
}

const { exif, stDim, stEvt, stFnt, stJob, stRef, stVer, xmpDM, xmpG, xmpGImg } = NAMESPACES

/** Structured value types of the XMP specification of January 2004, by their names in lower case. */
export const STRUCTURES_OF_2004: Readonly<Record<string, Structure>> = {
  cfapattern: { namespace: exif, fields: { integer: 'Columns Rows', 'seq integer': 'Values' } },
  devicesettings: { namespace: exif, fields: { integer: 'Columns Rows', 'seq text': 'Settings' } },
  dimensions: { namespace: stDim, fields: { real: 'w h', text: 'unit' } },
  flash: { namespace: exif, fields: { boolean: 'Fired Function RedEyeMode', text: 'Return Mode' } },
  job: { namespace: stJob, fields: { text: 'name id', url: 'url' } },
  'oecf/sfr': {
    namespace: exif,
    fields: { integer: 'Columns Rows', 'seq text': 'Names', 'seq rational': 'Values' },
  },
  resourceevent: {
    namespace: stEvt,
    fields: { text: 'action parameters', uri: 'instanceID', agentname: 'softwareAgent', date: 'when' },
  },
  resourceref: {
    namespace: stRef,
    fields: {
      uri: 'instanceID documentID manageTo manageUI',
      text: 'versionID renditionParams managerVariant',
      renditionclass: 'renditionClass',
      agentname: 'manager',
    },
  },
  thumbnail: { namespace: xmpGImg, fields: { integer: 'height width', text: 'format image' } },
  version: {
    namespace: stVer,
    fields: { text: 'comments version', resourceevent: 'event', date: 'modifyDate', propername: 'modifier' },
  },
}

/** Structured value types of the XMP specification of September 2005, by their names in lower case. */
export const STRUCTURES_OF_2005: Readonly<Record<string, Structure>> = {
  ...STRUCTURES_OF_2004,
  beatsplicestretch: {
    namespace: xmpDM,
    fields: { boolean: 'useFileBeatsMarker', real: 'riseInDecibel', time: 'riseInTimeDuration' },
  },
  colorant: {
    namespace: xmpG,
    fields: { text: 'swatchName mode type', real: 'cyan magenta yellow black L', integer: 'red green blue A B' },
  },
  font: {
    namespace: stFnt,
    fields: {
      text: 'fontName fontFamily fontFace fontType versionString fontFileName',
      boolean: 'composite',
      'seq text': 'childFontFiles',
    },
  },
  // The specification allows both a time and a number of frames as the start and the duration.
  marker: {
    namespace: xmpDM,
    fields: { any: 'startTime duration', text: 'comment name target type', uri: 'location' },
  },
  media: {
    namespace: xmpDM,
    fields: { uri: 'path webStatement', text: 'track', time: 'startTime duration', boolean: 'managed' },
  },
  projectlink: { namespace: xmpDM, fields: { uri: 'path', text: 'type' } },
  resamplestretch: { namespace: xmpDM, fields: { text: 'quality' } },
  time: { namespace: xmpDM, fields: { integer: 'value', rational: 'scale' } },
  timecode: { namespace: xmpDM, fields: { text: 'timeValue timeFormat' } },
  timescalestretch: { namespace: xmpDM, fields: { real: 'frameSize frameOverlappingPercentage', text: 'quality' } },
}

/** Lists the entries of a table as pairs of a name and a value type. */
export function listNames(table: NamesByType): [name: string, type: string][] {
  return Object.entries(table).flatMap(([type, names]) =>
    names
      .trim()
      .split(/\s+/)
      .map((name): [string, string] => [name, type]),
  )
}
