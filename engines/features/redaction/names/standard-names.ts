/**
 * Names that ISO 32000-2 and related specifications define, as keys or as values, and names that widespread software
 * writes. A search term may equal one of these names by chance. Renaming such a name would break the document.
 */
const STANDARD = new Set(
  `
  3D 3DA 3DAnimationStyle 3DB 3DC 3DCrossSection 3DD 3DI 3DLightingScheme 3DMeasure 3DNode 3DRef 3DRenderMode 3DV
  3DView 3DViews A A85 AA AAPL AAPL:AKExtras AAPL:Keywords AAPL:SL AC ADBE AESV2 AESV3 AF AFRelationship
  AFSimple_Calculate AFs AH AHx AIMetaData AIPDFPrivateData AIPrivateData AIS AN AND AP APRef AR ARIA AS
  ASCII85Decode ASCIIHexDecode AbsoluteColorimetric AccurateScreens Acro AcroCapture AcroForm Acrobat Action
  ActionEditAnnots ActualText Add AddRevInfo Adobe Adobe.APPSTREAM Adobe.PPKLite Adobe.PPKMS Adobe.PubSec AdobeDC
  AdobePDFJavaToolkit.PPKLite AdobePhotoshop After Aggregate AliasDepth All AllOff AllOn AllPages Alpha AlphaNum
  Alphabetic Alt Alternate AlternateImages AlternatePresentations Alternates Alternative Ambient And Angle Animation
  AnimationStyle Annot Annotation Annots AntiAlias Any AnyOff AnyOn App AppDefault Appearance Append Appropriated
  Approved Arrow Art ArtBox Article Artifact Artwork AsIs Ascent Aside Asset Associated Attached Attestation
  AuthEvent Author Auto AutoStr Autodetect Autor AvgWidth Axes B BBox BC BCI BDC BE BG BG2 BI BM BMC BMat BPC BR BS
  BT BX Background BackgroundColor BackgroundNoise Barcode Base BaseEncoding BaseFont BaseState BaseURL
  BaselineShift Basic Basis Batch Bates Bead Before Begin BehindContent BitsPerComponent BitsPerCoordinate
  BitsPerFlag BitsPerSample Bl Black BlackAndWhite BlackGeneration BlackIs1 BlackPoint Blind Blinds Block BlockAlign
  BlockQuote Blue Body BodyText Bold BoldSystem Book Booklet Border BorderColor BorderStyle BorderThickness Both
  Bottom Boundary Bounds Box BoxColorInfo Boxed_Text Brush Btn BtnField Butt ButtonDown ByteRange C C0 C1 CA CB CCF
  CCITTFaxDecode CCSource CD CE CF CFM CI CICI.SignIt CIDFontType0 CIDFontType0C CIDFontType2 CIDInit CIDSet
  CIDSystemInfo CIDToGIDMap CL CMYK CMap CMapName CMapType CO COB CP CS CSP CSS CT CTM CV CYMK CYX CalCMYK CalGray
  CalRGB Calculate Canceled Cap CapHeight Caption Capture Caret Catalog Category Cell CellSpacing Center
  CenterWindow Cert Certificate CertificationLevel Certs Ch ChangeCase ChangeHistory CharProcs CharSet Chart
  Chartsheet Check CheckBox CheckSum Checked Choice ChoiceField Chord Ciphered Circle CircleAnnotation ClassMap Clip
  Close ClosedArrow Cloudy Code CodeBase Col ColSpan Collection CollectionColors CollectionField CollectionItem
  CollectionSchema CollectionSort CollectionSplit CollectionSubitem Color ColorBurn ColorDodge ColorSpace
  ColorTransform Colorants Colors Color ColumnCount ColumnGap ColumnWidth Columns Com Comment Comments Company
  Compatible Completed Component Components Compressed Condition Confidential Config Configs Confirmed Constant
  Contact ContactInfo Content ContentLocation Contents Continuous Contrast Coords Copy CosineDot Count Courier
  Courier-Bold Courier-BoldOblique Courier-Oblique Cover CreateTemplate CreationDate Creator CreatorInfo CropBox
  CropDesign CropFixed CropRect Cropping Cross CrossHatch Crypt CryptFilter CryptFilterDecodeParms CuePoint Cur
  Curly Current CustomColor Cyan Cylinder D DA DAMT DC DCS DCT DCTDecode DD DDF DEP DER DI DIS DL DLS DOS DP DPM
  DPart DPartRoot DPartRootNode DR DS DSS DTL DTM DV DVA DVE DW DW2 DamagedRowsBeforeError Damp Darken Dashed Data
  Date Decimal Decode DecodeParms Default DefaultCMYK DefaultForPrinting DefaultGray DefaultRGB Delete Departmental
  Desc Descendant DescendantFonts Descent Dest DestOutputProfile DestOutputProfileRef Destination Dests Detached
  DevDepGS_BG DevDepGS_FL DevDepGS_HT DevDepGS_OP DevDepGS_TR DevDepGS_UCR DeveloperExtensions Device DeviceCMYK
  DeviceColorant DeviceGray DeviceN DeviceRGB DeviceRGBK Di Diag Diagram Dialogsheet Diamond Difference Differences
  Diffuse DigSig Digest DigestAlgorithm DigestInfo DigestLocation DigestMethod DigestValue Dimension Direct
  Direction Disc Disclosed DisplayDocTitle Dissolve Distance Distinct Distribute Div Do DocBook DocClose DocMDP
  DocOpen DocPrint DocSave DocTimeStamp DocWrite Document DocumentFragment Domain Dot Dotted Double DoubleDot
  Download Draft Drop DropDown Duplex DuplexFlipLongEdge DuplexFlipShortEdge Dur Duration E EA EE EF EFF EFOpen EI
  EMC EN ESIC ET ETSI.CAdES.detached ETSI.RFC3161 EX Edge EdgeColor Ellipse EllipseA EllipseB EllipseC EllipseD Em
  Embed Embedded EmbeddedFDFs EmbeddedFile EmbeddedFiles Enc Encode EncodedByteAlign Encoding Encrypt
  EncryptMetadata EncryptedPayload End EndIndent EndNote EndOfBlock EndOfLine Ending Endnote EndnoteRef EnfocusPDF
  Entrust.PPKEF Even Event ExData Excel ExclFKeys Exclude Exclusion Experimental Expert Expired Export ExportState
  ExtGState Extend Extends Extensible ExtensionLevel ExtensionRevision ExtensionSchema Extensions External F F1 F2
  F9 FB FBOrigin FC FD FDF FDecodeParms FENote FFilter FG FGOrigin FICL FICL:Enfocus FIID FL FO FOV FRM FS FSet FT
  FWParams FWPosition FWScale FXE FXObj FXX Face FaceColor Fade False Ff Field FieldMDP FieldMDPParams Fields Figure
  File FileAttachment FileInfo FileName FileSize Files Filespec Filter Final First FirstChar FirstLineIndent
  FirstPage Fit FitB FitBH FitBV FitH FitR FitV FitWindow Fixed FixedPrint Fl Flags FlateDecode Flatness Floating
  Fly Fo Folder Folders Font FontBBox FontDescriptor FontFamily FontFauxing FontFile FontFile2 FontFile3 FontInfo
  FontMatrix FontName FontSize FontStretch FontStyle FontWeight Fonts Footer Footers Footnote FootnoteRef Footnotes
  ForComment ForPublicRelease Foreground Form FormData FormEx FormType FormXob Forms Formula FoxitData Frame
  FreeText FreeTextCallout FreeTextTypeWriter FreeTextTypewriter Freeform Freeze From Front Full FullSave FullScreen
  Fully Function FunctionType Functions G G3DAnnot GC GCS GE GEO GL GPTS GS GTP GTS_Encapsulated GTS_Env GTS_Managed
  GTS_Metadata GTS_PDFA GTS_PDFA1 GTS_PDFE1 GTS_PDFVTModDate GTS_PDFVTVersion GTS_PDFX GTS_PDFXConformance
  GTS_PDFXVersion GTS_ProcStepsGroup GTS_ProcStepsType GTS_Scope GTS_StreamHint GTS_XID Gamma General Generic
  GenericRot GeoPDF Geometry Glitter GlyphOrientationVertical GoTo GoTo3DView GoToDPart GoToDp GoToE GoToR Gothic
  Graph Graphics Gray GrayMap Green Grid Groove Group Gs Guideline H H1 H2 H3 H4 H5 H6 H7 HAlign HI HT HTML HTO HTP
  HTTP Halftone HalftoneName HalftoneType Halftones HardLight Hardlight Hatch Header Headers Heading Headlamp Height
  Height2 Help Helv Helvetica Helvetica-Bold Helvetica-BoldOblique Helvetica-Oblique Hidden Hide
  HideAnnotationActions HideMenubar HideToolbar HideWindowUI Highlight HighlightAnnotation Hindi Hint Horizontal Hue
  Hybrid Hyperlink Hyperlinks I IC ICCBased ID IDS IDTree IE IF II IM IN IRT IT IX Icon IconFit Icons Identity
  Identity-H Identity-V IdentityH Ideographic Illustration Illustrator Image ImageB ImageC ImageI ImageMask
  ImagePart Images Import ImportData ImportFDF ImportedPages In InDesign Inactive Incident Include Indesign Index
  Indexed Info Information Initial Ink InkAnnotation InkList InkPoints Inline InlineAlign InlineShape Inner
  InnerCircle Input Insert InsertPage Inset Intensity Intent Interpolate InvertedDouble InvertedDoubleDot
  InvertedEllipseA InvertedEllipseC InvertedSimpleDot Invisible IsMap Iso Isolated Issue Issuer Italic ItalicAngle
  JBIG2Decode JBIG2Globals JPEG JPXDecode JS JavaScript JavaScript-URI JavaScriptActions Jpeg Justify K KA KSQ Keep
  Key KeyUsage Keystroke Keyword Keywords Kids Knockout L L2R LAB LBody LC LE LI LJ LL LLE LLO LS LT LW LZW
  LZWDecode Lab Label LabelDoubleDot Landscape Lang Language LastChar LastModified LastPage Layer Layout Lbl Legal
  LegalAttestation Length Length1 Length2 Length3 Letter Level1 Libraries LibreOffice Lighten Limit Limits
  LimitsType Line LineAnnotation LineArrow LineCap LineDimension LineHeight LineNum LineThrough LineX LineY
  Linearized Link LinkAnnotation List ListNumbering ListParagraph Lists Lit Ll Ln Location Lock Locked
  LockedContents LogicalContent Logo Lookup Loop Lower LowerAlpha LowerRoman Luminosity M MA MAE MCD MCDoc MCID MCR
  MD MDP ME MF MH MIT MK ML_Accent MMType1 MN MP MP3 MR MS MSIP_Label MTL MU MWFOColorSpace Mac MacExpertEncoding
  MacOS MacRomanEncoding Macro Macrosheet Magenta MagentaPlate MarkInfo MarkStyle Marked Marker Markup
  MarkupAnnotation Mask Math MathML Matrix Matte Max MaxLen MaxWidth Maximize Measure Media MediaBox MediaClip
  MediaColor MediaDuration MediaOffset MediaPermissions MediaPlayParams MediaPlayers MediaPosition MediaRendition
  MediaScreenParameters MediaType MediaWeight Mesh Message MessageBox Meta Metadata Mic Microsoft Mid Middle
  MinBitDepth MinScreenSize Minimum Minor MissingWidth Mix MixedBW MixingHints ModDate Mode Modified Modify
  ModifyAll Monospaced MonthDay MoreInfo Mouse Movie MovieActions Msg Mu Multimedia Multiply MuteAudio N NA NChannel
  NM NN NOT NP NR NS NSO NU NUM Name NameClass Named Names Namespace Namespaces NeedAppearances NeedsRendering
  Nested New NewWindow Next NextPage Night NoOp NoPrint NoRotate NoView NoZoom NonEFontNoWarn NonEmbeddedFonts
  NonFullScreenPageMode NonStruct None Normal NormalIndent NormalParagraphStyle Not NotApproved NotForPublicRelease
  Note Notes Nothing NumCopies Number NumberFormat Numbering Nums O OB OBJR OC OCAlways OCAlwaysOff OCG OCGs OCMD
  OCProperties OCSP OCSPs OE OEB OFF OID ON OP OPI OPM OR OS Obj ObjStm Obj_ Object Object3D Oblique Odd Off Offset
  Ok On Once One OneColumn Open OpenAction OpenArrow OpenOffice OpenType Opt OptionalContent Options Order Ordered
  Ordering Orientation Origin Original Out Outdated OuterCircle Outline OutlineHeight Outlines OutputCondition
  OutputConditionIdentifier OutputIntent OutputIntents Outset Overlay OverlayText Overprint Override Owner P PA PC
  PCM PDF PDFDocEncoding PDFE PE PI PICKTRAYBYPDFSIZE PKCS7 PL PN PO POST PP PPK PS PS_Export PTEX.FileName
  PTEX.Fullbanner PTEX.InfoDict PTEX.PageNumber PTEX_Fullbanner PV PZ Padding Pag Page PageElement PageLabel
  PageLabels PageLayout PageMode PageNum PageNumber Pages Pagination PaginationArtifact PaintType Paperclip
  Paragraph Param Params Parent ParentTree ParentTreeNextKey Part Pattern PatternType Patterns PayForm Perceptual
  Permission Permissions Perms Pg PhantomFreetext Photoshop PhotoshopPDF PickTray PickTrayByPDFSize Pict PieceInfo
  PitStop Placement PlateColor Play PlayCount Player Player1 Point PolyLine PolyLineDimension Polygon PolygonCloud
  PolygonDimension Popup Portrait Position PowerPoint Pr PreRelease Predictor Preferred Prepress PresSteps
  PreserveRB Prev PrevPage Preview Primary Print PrintArea PrintClip PrintDocument PrintPageRange PrintScaling
  PrintState PrintedMatter Printer PrinterMark PrintingOrder Private PrivateData ProcSet Process ProcessingStep
  Producer Program Project Projection Pronunciation Proof Prop Prop_AuthTime Prop_AuthType Prop_Build Properties
  Proportional Proximity Ps PubSec Public Purpose Push PushButton PushPin Q QITE QITE_ QuadPoints QuickTime
  Quotation Quote R R2L RB RBGroups RC RCA RD RF RGB RI RL RM RN RO RP RS RT RTF RU RV RadialShading RadioButton
  Raised Range Rank Rate Ratio Reason Reasons Rect Red Redact Redundant Ref RefName Reference ReferencedGlyphs
  References Regions Registry RegistryName Regular Rejected Rejection RelativeColorimetric Remark Rename Render
  RenderMode Rendition Renditions Repeat Replace Reply Required Requirement RequirementHandler Requirements ResFork
  Reserved ResetForm Resolution Resource Resources RevInfo Reverse Review Ribbon RichMedia RichMediaActivation
  RichMediaAnimation RichMediaCommand RichMediaConfiguration RichMediaContent RichMediaDeactivation RichMediaExecute
  RichMediaInstance RichMediaParams RichMediaPosition RichMediaPresentation RichMediaSettings RichMediaWindow Ridge
  Right RlMd Role RoleMap RoleMapNS Roman Root Rotate Rotation Round Row RowSpan Rows Ruby RubyAlign RubyPosition
  Run RunLengthDecode S SA SC SD SDW SE SEP SI SIS SM SMask SMaskInData SP SPS SS ST SV SVCert SVG Satisfied
  Saturation ScanRegion Schema Scope Screen ScreenShot Screening Script Scrn Search SearchIndex Sect Section
  SemanticUnits Sensitivity Separation SeparationColorNames SeparationInfo Separations Serif Server SetF SetFf
  SetMetadata SetOCGState SetState Settings Shade Shading ShadingType Shadow Shadows Shape Sheet Show ShowControls
  Shrink Side SidelnessSides Sig SigFieldLock SigFlags SigQ SigRef Signature Signatures Signed Simple SimpleDot
  Simplex Simulation SingleDot SinglePage Size Slash Slice Slide Sly SoftLight Software Sold Solid Solidities Sort
  Sound SoundActions SourceModified SpaceAfter SpaceBefore Span Spawn Speaker Special SpecialTrap Specular Speed
  SpiderContentSet SpiderInfo Split SpotColor SpotFunction Square SquareAnnotation Squiggly St Stamp Standard
  StandardEncoding Star Start StartIndent StartResource State StateModel Std StdCF Stem StemH StemV Stitch Stop
  Story StrF Stream Strike StrikeOut Strikeout Strong StructElem StructParent StructParents StructTreeRoot Structure
  Style Sub SubFilter SubFont SubSection SubType Subform Subj Subject SubjectDN SubmitForm SubmitStandalone
  Subscript Subtitle Subtype Suffix Sum SummaryView Sup Superscript Supplement Suspects Swap Sy Symbol Symbolic
  SysInfo System T TA TB TBody TBorderStyle TD TE TF TFoot TH THead TI TID TK TM TOC TOCI TP TPadding TR TR2 TS TT
  TTL TU Table TableBody TableParagraph Tabs Tag Tagged Target Task Technical Template TemplateInstantiated
  Templates TerminalServer Test Text TextAlign TextAnnotation TextArea TextBox TextDecorationColor
  TextDecorationThickness TextDecorationType TextField TextIndent TextMode TextPosition TextString Textbody Textbox
  Texture Thread Threads Thumb Thumbnails TilingType Time TimeRemaining TimeSpan TimeStamp Times Times-Bold
  Times-BoldItalic Times-Italic Times-Roman Title ToUnicode Toggle Token Toolbar Top TopSecret Topic Total TouchUp
  TouchUp_TextEdit Tr Trailer TrailerID Trans TransferFunction TransformMethod TransformParams Transition
  Transparency Transparent TransparentRectangle Trap TrapNet TrapNetAnnotation TrapRegions TrapStyles Trapped
  TrimBox True TrueType TrueTypeFonts Tt TwoColumnLeft TwoColumnRight TwoPageLeft TwoPageRight Tx Type Type0 Type0C
  Type1 Type1C Type2 Type3 Typewriter U U3D UC UCR UCR2 UE UF UR UR3 URI URIActions URL URLS URLType UVariables
  Unchanged Uncover Undefined Underlay Underline UniqueID Unit Unix UnnamedNewPage Unordered Unspecified Upper
  UpperAlpha UpperRoman Usage Use UseAttachments UseBlackPtComp UseCMap UseNone UseOC UseOutlines UseThumbs User
  UserPrinters UserProperties UserUnit Username V V2 VA VE VN VP VRI Valid Validate Value Values ValuesType Variable
  VeriSign.PPKVS Verify Version Vertical VerticalAlign VerticalJustification Vertices VerticesPerRow View ViewArea
  ViewClip ViewPort ViewState Viewer ViewerPreferences Viewport Views Visible VisiblePages Void Volume VolumeUnit W
  W2 WB WC WMode WP WS WT Warichu Warning Watermark White WhitePoint Widget Width Width2 Widths Win WinAnsiEncoding
  Window Windowed Windows Wipe Wireframe With Word WordSpacing Words Workbook Worksheet WritingMode X X509 XFA
  XFAForm XFAImages XFALocale XFAResources XHeight XML XMP XNone XObject XRef XRefStm XSL XSquare XStep XUID XYZ
  Xform Xml Xobj Xsize Y YStep Yellow Yes Yosh Z ZaDb ZapfDingbats Zoom ZoomIn ZoomOut adbe.pkcs7.detached
  adbe.pkcs7.s3 adbe.pkcs7.s4 adbe.pkcs7.s5 adbe.pkcs7.sha1 adbe.x509.rsa.sha1 adbe.x509.rsa.sha256
  adbe.x509.rsa_sha1 adbe.x509.rsa_sha256 pdftk_PageNum
  `
    .trim()
    .split(/\s+/),
)

/** Media types of attached files. */
const MEDIA_TYPE = /^(?:application|audio|font|image|message|model|multipart|text|video)\/[\w.+-]+$/i

/** Font families that come with operating systems and programs. Their names reveal nothing about a document. */
const FAMILIES = new Set(
  `arial arialnarrow arialunicode bookantiqua bookman calibri cambria cambriamath candara century comicsans consolas constantia corbel couriernew courier
  dejavusans dejavusansmono dejavuserif garamond georgia gillsans helvetica helveticaneue impact liberationmono liberationsans liberationserif lucidasans
  minionpro myriadpro notosans notoserif opensans palatino palatinolinotype roboto segoeui symbol tahoma times timesnewroman trebuchet verdana wingdings`.split(
    /\s+/,
  ),
)

/** Returns whether a font name without its subset prefix belongs to a common family. */
export function isCommonFamily(text: string): boolean {
  const family = (text.split(/[-,]/)[0] ?? '').replace(/(?:PS)?(?:MT)?$/, '')
  return FAMILIES.has(family.toLowerCase().replace(/\s+/g, ''))
}

/**
 * Returns whether specifications define a name. This includes media types, and names followed by a number, such as
 * resource names.
 */
export function isStandardName(text: string): boolean {
  if (STANDARD.has(text) || MEDIA_TYPE.test(text)) return true
  const stem = text.replace(/[\d_.+-]+$/, '')
  return STANDARD.has(stem) || (stem.length <= 2 && text.length <= 8)
}
