import { isNameOfModel } from '../../../pdf/object-model'

/**
 * Names that the object model lacks: names of related specifications, of structure elements, fonts and operators, and
 * names that widespread software writes. A search term may equal one of these names by chance. Renaming such a name would
 * break the document.
 */
const OTHERS = new Set(
  `
  3DViews A85 AAPL AAPL:AKExtras AAPL:SL ADBE AFSimple_Calculate AFs AH AHx AIMetaData AIPDFPrivateData
  AIPrivateData AND APRef AR ARIA Acro AcroCapture Acrobat ActionEditAnnots Adobe Adobe.APPSTREAM Adobe.PPKLite
  Adobe.PPKMS AdobeDC AdobePDFJavaToolkit.PPKLite AdobePhotoshop Aggregate AliasDepth AlphaNum Alphabetic Ambient
  AnimationStyle Any AppDefault Appearance Append Appropriated Approved Arrow Art Article Artifact AsIs Aside
  Associated Attached AutoStr Autodetect Autor Axes BCI BDC BI BMC BMat BPC BR BT BX BackgroundNoise BaseURL Basic
  Basis Batch Begin BehindContent BlackAndWhite BlackGeneration Blind BlockQuote Body BodyText Bold BoldSystem
  Book Booklet Boundary Boxed_Text Brush BtnField ButtonDown CB CCF CCSource CD CE CICI.SignIt CIDInit CMYK
  CMapType COB CSP CSS CTM CYMK CalCMYK Calculate Canceled Capture Cell CellSpacing Certificate CertificationLevel
  ChangeCase ChangeHistory Chart Chartsheet Check CheckBox Choice ChoiceField Chord Ciphered CircleAnnotation Clip
  Close Cloudy Code CodeBase Col ColumnWidth Com Company Completed Component Compressed Confidential Config
  Confirmed Constant Contact Content ContentLocation Continuous Contrast Courier Courier-Bold Courier-BoldOblique
  Courier-Oblique CreateTemplate CropDesign Cropping CrossHatch Cur Curly Current CustomColor Cyan Cylinder DAMT
  DCT DD DDF DEP DER DI DLS DTL DTM DVA DVE Damp Departmental Descendant Destination Detached Device Diag Diagram
  Dialogsheet Diffuse Digest DigestAlgorithm DigestInfo Dimension Direct Disclosed Distance Distinct Div Do
  DocBook DocClose DocPrint DocSave DocWrite DocumentFragment Dot Download Draft Drop DropDown EE EI EMC EN ESIC
  ET EX Edge EdgeColor EllipseD Em Embed EmbeddedFDFs Enc EndNote Ending EndnoteRef EnfocusPDF Entrust.PPKEF Even
  Excel ExclFKeys Experimental Expert Expired Extensible ExtensionSchema External F1 F2 F9 FBOrigin FDF FENote
  FGOrigin FICL FICL:Enfocus FIID FO FRM FSet FXE FXObj FXX Face FaceColor Field FieldMDPParams Figure FileInfo
  FileName FileSize Files Final FirstLineIndent FirstPage Fixed Fl Flatness Floating FontInfo FontSize FontStyle
  Fonts Footers FootnoteRef Footnotes ForComment ForPublicRelease FormEx FormXob Forms Formula FoxitData Frame
  FreeTextTypewriter Freeform Freeze From Front Full Fully G3DAnnot GC GE GL GS GTP GTS_PDFA GTS_PDFE1
  GTS_PDFVTModDate GTS_PDFVTVersion GTS_PDFXConformance GTS_StreamHint General Generic GenericRot GeoPDF Geometry
  GoToDPart Gothic Graph Graphics Grid Gs Guideline H1 H2 H3 H4 H5 H6 H7 HTML HTTP Halftones Hardlight Hatch
  Heading Helv Helvetica Helvetica-Bold Helvetica-BoldOblique Helvetica-Oblique HighlightAnnotation Hindi Hint
  Horizontal Hybrid Hyperlink Hyperlinks IE II IM IconFit Icons IdentityH Ideographic Illustrator ImagePart Images
  ImportFDF ImportedPages In InDesign Inactive Incident Indesign Information Initial InkAnnotation InkPoints
  InlineShape Inner InnerCircle Input InsertPage Intensity Invisible Iso Isolated Issue Italic JPEG JavaScript-URI
  Jpeg KA KSQ Keep Keystroke Keyword Knockout LAB LBody LT LZW Label LabelDoubleDot Landscape LastPage Layer Lbl
  Letter Libraries LibreOffice Limit Limits LimitsType LineAnnotation LineCap LinkAnnotation List ListParagraph
  Lists Lit Ll Ln LockedContents LogicalContent Logo Lookup Loop Lower MAE MCDoc MD ME MF MIT ML_Accent MP MP3
  MSIP_Label MTL MWFOColorSpace MacOS Macro Macrosheet Magenta MagentaPlate Marker MarkupAnnotation Math MathML
  Maximize Media MediaColor MediaPosition MediaRendition MediaScreenParameters MediaType MediaWeight Mesh Message
  MessageBox Meta Mic Microsoft Mid Minimum Minor MixedBW Modified ModifyAll Monospaced MonthDay MoreInfo Mouse Mu
  MuteAudio NN NOT NSO NUM NameClass Nested New NextPage NoPrint NoRotate NoView NoZoom NonStruct NormalIndent
  NormalParagraphStyle NotApproved NotForPublicRelease Notes Nothing Number Numbering Nums OCAlways OCAlwaysOff
  OEB OR Obj_ Object Object3D Oblique Odd Off Ok On One OpenOffice Options Orientation Origin Original Out
  Outdated OuterCircle Outline OutlineHeight Override Owner PDFDocEncoding PDFE PE PICKTRAYBYPDFSIZE PKCS7 PN POST
  PP PPK PS_Export PTEX.FileName PTEX.Fullbanner PTEX.InfoDict PTEX.PageNumber PTEX_Fullbanner Pag PageNumber
  PaginationArtifact Paperclip Param Part Patterns PayForm Permission Permissions PhantomFreetext Photoshop
  PhotoshopPDF PickTray Pict PitStop PlateColor Player Player1 Point Portrait PowerPoint Pr Prepress PrevPage
  PrintDocument PrintedMatter Printer PrivateData ProcessingStep Program Project Pronunciation Proof Prop
  Proportional Proximity Ps Public Purpose PushButton PushPin QITE QITE_ QuickTime Quotation Quote RB RCA RGB RN
  RP RS RTF RU RadialShading RadioButton Raised Rank Ratio Redundant RefName ReferencedGlyphs References Regions
  Regular Rejected Rejection Remark Rename Render RenderMode Replace Reply Required RequirementHandler Reserved
  Resource RevInfo Reverse Review Ribbon RlMd Roman Rotation Ruby Run SDW SEP SVG Satisfied ScanRegion ScreenShot
  Screening Scrn Search SearchIndex Sect Section SemanticUnits Sensitivity Separations Serif Server SetF SetFf
  SetMetadata Shade Shadows Shape Sheet Show Shrink Side SidelnessSides Signatures Simple Simulation SingleDot
  Slice Slide Sly Software Sold SourceModified Span Spawn Speaker Special SpecialTrap Specular SpotColor
  SquareAnnotation StandardEncoding Star Std Stem Stitch Story Strike Strikeout Strong Structure SubFont
  SubSection Subform Subscript Subtitle Suffix Sum Superscript Swap Symbol Symbolic SysInfo System TBody TD TE
  TFoot TH THead TOC TOCI TTL Table TableBody TableParagraph Tag Tagged Target Task Technical TerminalServer Test
  TextAnnotation TextArea TextBox TextField TextMode TextString Textbody Textbox Texture Thumbnails TimeRemaining
  TimeSpan Times Times-Bold Times-BoldItalic Times-Italic Times-Roman Token TopSecret Topic Total TouchUp
  TouchUp_TextEdit Tr Trailer TrailerID Transition TransparentRectangle Trap TrapNetAnnotation Tt Type0C Type2
  Typewriter UVariables Undefined Underlay UniqueID Unit UnnamedNewPage Upper Use UserPrinters Username VN Valid
  Validate Value Values ValuesType Variable VeriSign.PPKVS Verify Vertical VerticalAlign VerticalJustification
  ViewPort Viewer Visible Void VolumeUnit WB WC WT Warning Windows With Word WordSpacing Words Workbook Worksheet
  X509 XFAForm XFAImages XFALocale XMP XNone XSL XSquare Xform Xml Xobj Xsize Yes Yosh ZaDb ZapfDingbats ZoomIn
  ZoomOut adbe.x509.rsa.sha1 adbe.x509.rsa.sha256 adbe.x509.rsa_sha256 pdftk_PageNum
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
  if (isDefined(text) || MEDIA_TYPE.test(text)) return true
  const stem = text.replace(/[\d_.+-]+$/, '')
  return isDefined(stem) || (stem.length <= 2 && text.length <= 8)
}

function isDefined(text: string): boolean {
  return OTHERS.has(text) || isNameOfModel(text)
}
