import { mediaTypeOf } from './media-type'
import { Code, type LiteralStyle, writeLiteral } from './literal'
import { KEY_VARIABLE, PATIENCE_S, plainText, type SampleLanguage, type SampleRequest } from './request'

const STYLE: LiteralStyle = {
  words: { true: 'true', false: 'false', null: 'null' },
  text: quote,
  list: { open: '[', close: ']' },
  // An array with numeric keys may become a list in JSON. An object doesn't.
  map: keys => ({
    open: keys.some(key => /^-?\d+$/.test(key)) ? '(object) [' : '[',
    close: ']',
    empty: 'new stdClass()',
  }),
  entry: (key, value) => `${quote(key)} => ${value}`,
  indent: '    ',
}
const INSIDE = '    '

/** PHP 8 with its extension curl. */
export const php: SampleLanguage = {
  id: 'php',
  name: 'PHP',
  writeForm(request) {
    const { files, values } = request
    if (files && files.names.length > 1) return writeLongForm(request, files)
    const upload =
      files?.names.map(
        name =>
          [files.field, new Code(`new CURLFile(${quote(name)}, '${mediaTypeOf(name)}', ${quote(name)})`)] as const,
      ) ?? []
    const fields = {
      ...Object.fromEntries(upload),
      ...Object.fromEntries(Object.entries(values).map(([name, value]) => [name, writeText(value)])),
    }
    return `<?php
${writeSending(request, { body: writeLiteral(fields, STYLE, INSIDE), headers: [] })}`
  },
  writeJson(request) {
    const { files, values } = request
    const [first = ''] = files?.names ?? []
    const isMany = files !== undefined && files.names.length > 1
    const readBase64 = (name: string) => new Code(`base64_encode(file_get_contents(${name}))`)
    const setup = isMany
      ? `$files = [];
foreach (${writeLiteral(files.names, STYLE)} as $name) {
    $files[] = ['name' => $name, 'dataBase64' => ${readBase64('$name').code}];
}
`
      : ''
    const body = files
      ? {
          [files.field]: isMany ? new Code('$files') : { name: first, dataBase64: readBase64(quote(first)) },
          ...values,
        }
      : values
    return `<?php
${setup}${writeSending(request, { body: `json_encode(${writeLiteral(body, STYLE, INSIDE)})`, headers: ["'content-type: application/json'"] })}`
  },
}

/** The extension can't send two files under one name, so the sample writes the form itself. */
function writeLongForm(request: SampleRequest, { field, names }: { field: string; names: string[] }): string {
  const fields = Object.entries(request.values).map(
    ([name, value]) =>
      `$form .= "--$boundary\\r\\nContent-Disposition: form-data; name=\\"${name}\\"\\r\\n\\r\\n" . ` +
      `${writeText(value).code} . "\\r\\n";\n`,
  )
  return `<?php
// PHP's curl can't send two files under one name, so the form is written here.
$boundary = bin2hex(random_bytes(16));
$form = '';
foreach (${writeLiteral(names, STYLE)} as $name) {
    $form .= "--$boundary\\r\\nContent-Disposition: form-data; name=\\"${field}\\"; filename=\\"$name\\"\\r\\n";
    $form .= "Content-Type: ${mediaTypeOf(...names)}\\r\\n\\r\\n" . file_get_contents($name) . "\\r\\n";
}
${fields.join('')}$form .= "--$boundary--\\r\\n";

${writeSending(request, { body: '$form', headers: ['"content-type: multipart/form-data; boundary=$boundary"'] })}`
}

function writeText(value: unknown): Code {
  const text = plainText(value)
  return new Code(text === undefined ? `json_encode(${writeLiteral(value, STYLE, INSIDE + INSIDE)})` : quote(text))
}

function writeSending(
  { url, apiKey, responseName }: SampleRequest,
  { body, headers }: { body: string; headers: string[] },
): string {
  const key = apiKey === undefined ? `'x-api-key: ' . getenv('${KEY_VARIABLE}')` : quote(`x-api-key: ${apiKey}`)
  return `$headers = [];
$curl = curl_init(${quote(url)});
curl_setopt_array($curl, [
    CURLOPT_HTTPHEADER => [${[key, ...headers].join(', ')}],
    CURLOPT_POSTFIELDS => ${body},
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => ${PATIENCE_S},
    CURLOPT_HEADERFUNCTION => function ($curl, $line) use (&$headers) {
        [$name, $value] = explode(':', $line, 2) + [1 => ''];
        $headers[strtolower($name)] = trim($value);
        return strlen($line);
    },
]);
$response = curl_exec($curl);
$status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
if ($status !== 200) {
    fwrite(STDERR, $response === false ? curl_error($curl) : "$status $response");
    exit(1);
}
file_put_contents(${quote(responseName)}, $response);
echo $headers['x-credit-balance'], " credits left\\n";`
}

/** Returns a text in single quotes, in which only these two characters need escapes. */
function quote(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}
