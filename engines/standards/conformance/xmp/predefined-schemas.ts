import { NAMESPACES } from './namespaces'
import { listNames } from './predefined-structures'
import type { NamesByType } from './predefined-structures'
import { findOrAdd } from '../../../map-entries'

const { aux, crs, dc, exif, pdf, pdfaid, photoshop, tiff, xmp, xmpBJ, xmpDM, xmpMM, xmpRights, xmpTPg } = NAMESPACES

/** Properties by namespace and value type. */
type Schemas = readonly [namespace: string, properties: NamesByType][]

/** Properties of the XMP specification of January 2004 that the one of September 2005 didn't change, and of PDF/A. */
const IN_BOTH: Schemas = [
  [pdfaid, { integer: 'part', text: 'amd conformance' }],
  [
    dc,
    {
      'bag propername': 'contributor publisher',
      'seq propername': 'creator',
      'seq date': 'date',
      'lang alt': 'description rights title',
      mimetype: 'format',
      'bag locale': 'language',
      'bag text': 'relation subject type',
      text: 'coverage identifier source',
    },
  ],
  [
    xmp,
    {
      'bag text': 'Advisory Identifier',
      url: 'BaseURL',
      date: 'CreateDate MetadataDate ModifyDate',
      agentname: 'CreatorTool',
      text: 'Nickname',
      'alt thumbnail': 'Thumbnails',
    },
  ],
  [
    xmpRights,
    { url: 'Certificate WebStatement', boolean: 'Marked', 'bag propername': 'Owner', 'lang alt': 'UsageTerms' },
  ],
  [
    xmpMM,
    {
      resourceref: 'DerivedFrom ManagedFrom RenditionOf',
      uri: 'DocumentID InstanceID ManageTo ManageUI',
      'seq resourceevent': 'History',
      'seq version': 'Versions',
      agentname: 'Manager',
      text: 'ManagerVariant RenditionParams VersionID',
      renditionclass: 'RenditionClass',
      url: 'LastURL',
      integer: 'SaveID',
    },
  ],
  [xmpBJ, { 'bag job': 'JobRef' }],
  [xmpTPg, { dimensions: 'MaxPageSize', integer: 'NPages' }],
  [pdf, { text: 'Keywords PDFVersion', agentname: 'Producer' }],
  [
    photoshop,
    {
      text: `AuthorsPosition Category City Country Credit Headline Instructions Source State TransmissionReference`,
      propername: 'CaptionWriter',
      date: 'DateCreated',
      integer: 'Urgency',
    },
  ],
  [
    tiff,
    {
      integer: `ImageWidth ImageLength SamplesPerPixel Compression PhotometricInterpretation Orientation
        PlanarConfiguration YCbCrPositioning ResolutionUnit`,
      'seq integer': 'BitsPerSample TransferFunction YCbCrSubSampling',
      rational: 'XResolution YResolution',
      'seq rational': 'WhitePoint PrimaryChromaticities YCbCrCoefficients ReferenceBlackWhite',
      date: 'DateTime',
      'lang alt': 'ImageDescription Copyright',
      propername: 'Make Model Artist',
      agentname: 'Software',
    },
  ],
  [
    exif,
    {
      integer: `PixelXDimension PixelYDimension FocalLengthIn35mmFilm ColorSpace ExposureProgram MeteringMode
        LightSource FocalPlaneResolutionUnit SensingMethod FileSource SceneType CustomRendered ExposureMode
        WhiteBalance SceneCaptureType GainControl Contrast Saturation Sharpness SubjectDistanceRange GPSAltitudeRef
        GPSDifferential`,
      'seq integer': 'ComponentsConfiguration ISOSpeedRatings SubjectArea SubjectLocation',
      rational: `CompressedBitsPerPixel ExposureTime FNumber ShutterSpeedValue ApertureValue BrightnessValue
        ExposureBiasValue MaxApertureValue SubjectDistance FocalLength FlashEnergy FocalPlaneXResolution
        FocalPlaneYResolution ExposureIndex DigitalZoomRatio GPSAltitude GPSDOP GPSSpeed GPSTrack GPSImgDirection
        GPSDestBearing GPSDestDistance`,
      text: `ExifVersion FlashpixVersion RelatedSoundFile SpectralSensitivity ImageUniqueID GPSVersionID GPSSatellites
        GPSStatus GPSSpeedRef GPSTrackRef GPSImgDirectionRef GPSMapDatum GPSDestBearingRef GPSDestDistanceRef
        GPSProcessingMethod GPSAreaInformation`,
      gpscoordinate: 'GPSLatitude GPSLongitude GPSDestLatitude GPSDestLongitude',
      date: 'DateTimeOriginal DateTimeDigitized GPSTimeStamp',
      'lang alt': 'UserComment',
      'oecf/sfr': 'OECF SpatialFrequencyResponse',
      flash: 'Flash',
      cfapattern: 'CFAPattern',
      devicesettings: 'DeviceSettingDescription',
    },
  ],
]

/** Properties that only the specification of 2004 has, or with another type than in 2005. */
const IN_2004: Schemas = [
  [photoshop, { text: 'SupplementalCategories' }],
  [exif, { text: 'MakerNote', integer: 'GPSMeasureMode' }],
]

/** Properties that only the specification of 2005 has, or with another type than in 2004, and of PDF/A-2. */
const IN_2005: Schemas = [
  [pdfaid, { text: 'corr' }],
  [xmp, { text: 'Label', real: 'Rating' }],
  [xmpTPg, { 'bag font': 'Fonts', 'seq colorant': 'Colorants', 'seq text': 'PlateNames' }],
  [photoshop, { 'bag text': 'SupplementalCategories' }],
  [exif, { text: 'GPSMeasureMode' }],
  [aux, { text: 'Lens SerialNumber' }],
  [
    crs,
    {
      boolean: 'AutoBrightness AutoContrast AutoExposure AutoShadows HasCrop HasSettings',
      integer: `BlueHue BlueSaturation Brightness ChromaticAberrationB ChromaticAberrationR ColorNoiseReduction Contrast
        CropUnits GreenHue GreenSaturation LuminanceSmoothing RedHue RedSaturation Saturation Shadows ShadowTint
        Sharpness Temperature Tint VignetteAmount VignetteMidpoint`,
      real: 'CropTop CropLeft CropBottom CropRight CropAngle CropWidth CropHeight Exposure',
      text: 'CameraProfile RawFileName ToneCurveName Version WhiteBalance',
      'seq text': 'ToneCurve',
    },
  ],
  [
    xmpDM,
    {
      projectlink: 'projectRef',
      dimensions: 'videoFrameSize',
      rational: 'videoPixelAspectRatio fileDataRate',
      boolean: 'videoAlphaUnityIsTransparent loop',
      colorant: 'videoAlphaPremultipleColor',
      integer: 'audioSampleRate trackNumber',
      real: 'tempo numberOfBeats',
      text: `videoFrameRate videoCompressor audioCompressor speakerPlacement tapeName altTapeName scene shotName
        shotLocation logComment artist album genre copyright composer engineer instrument videoPixelDepth
        videoColorSpace videoAlphaMode videoFieldOrder pullDown audioSampleType audioChannelType key stretchMode
        timeSignature scaleType`,
      timecode: 'startTimecode altTimecode',
      time: 'duration introTime outCue relativeTimestamp',
      date: 'shotDate videoModDate audioModDate metadataModDate releaseDate',
      'seq marker': 'markers',
      'bag media': 'contributedMedia',
      uri: 'absPeakAudioFilePath relativePeakAudioFilePath',
      timescalestretch: 'timeScaleParams',
      resamplestretch: 'resampleParams',
      beatsplicestretch: 'beatSpliceParams',
    },
  ],
]

/** Value types of the predefined properties, by namespace and name. */
export type PropertyTypes = ReadonlyMap<string, ReadonlyMap<string, string>>

/** Properties that PDF/A-1 allows without a description (ISO 19005-1, 6.7.9). */
export const PROPERTIES_OF_2004 = index([...IN_BOTH, ...IN_2004])
/** Properties that PDF/A-2 and PDF/A-3 allow without a description (ISO 19005-2, 6.6.2.3.1). */
export const PROPERTIES_OF_2005 = index([...IN_BOTH, ...IN_2005])

function index(schemas: Schemas): PropertyTypes {
  const properties = new Map<string, Map<string, string>>()
  for (const [namespace, table] of schemas) {
    const types = findOrAdd(properties, namespace, () => new Map())
    for (const [name, type] of listNames(table)) types.set(name, type)
  }
  return properties
}
