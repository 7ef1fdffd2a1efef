import { KEY_VARIABLE, PATIENCE_S, plainText, type SampleLanguage, type SampleRequest } from './request'

/** C# 11 (.NET 7 or later) as a program with top-level statements, without packages. */
export const csharp: SampleLanguage = {
  id: 'csharp',
  name: 'C#',
  writeForm(request) {
    const { files, values } = request
    const fields = Object.entries(values).map(
      ([name, value]) => `form.Add(new StringContent(${writeText(value)}), ${JSON.stringify(name)});\n`,
    )
    return `using System.Text;

${writeClient(request)}
using var form = new MultipartFormDataContent();
${files ? writeFileParts(files) : ''}${fields.join('')}
${writeSending(request, 'form')}`
  },
  writeJson(request) {
    const { files, values } = request
    if (!files) {
      return `using System.Text;

${writeClient(request)}
var json = """
${encodeJson(values, 2)}
""";
using var content = new StringContent(json, Encoding.UTF8, "application/json");

${writeSending(request, 'content')}`
    }
    const entries = Object.entries(values).map(([name, value]) => `    ${name} = JsonNode.Parse(${writeRaw(value)}),\n`)
    return `using System.Text;
using System.Text.Json;${entries.length > 0 ? '\nusing System.Text.Json.Nodes;' : ''}

${writeClient(request)}
${writeFileInputs(files)}var json = JsonSerializer.Serialize(new
{
    ${files.names.length > 1 ? 'files' : 'file'},
${entries.join('')}});
using var content = new StringContent(json, Encoding.UTF8, "application/json");

${writeSending(request, 'content')}`
  },
}

function writeClient({ apiKey }: SampleRequest): string {
  const key = apiKey === undefined ? `Environment.GetEnvironmentVariable("${KEY_VARIABLE}")` : JSON.stringify(apiKey)
  return `using var client = new HttpClient { Timeout = TimeSpan.FromSeconds(${PATIENCE_S}) };
client.DefaultRequestHeaders.Add("x-api-key", ${key});
`
}

function writeFileParts({ field, names }: { field: string; names: string[] }): string {
  const add = (name: string) =>
    `form.Add(new ByteArrayContent(await File.ReadAllBytesAsync(${name})), ${JSON.stringify(field)}, ${name});\n`
  if (names.length === 1) return add(JSON.stringify(names[0]))
  return `foreach (var name in new[] { ${names.map(name => JSON.stringify(name)).join(', ')} })
{
    ${add('name')}}
`
}

function writeFileInputs({ names }: { names: string[] }): string {
  const readFile = (name: string) => `Convert.ToBase64String(await File.ReadAllBytesAsync(${name}))`
  if (names.length === 1) {
    const name = JSON.stringify(names[0])
    return `var file = new { name = ${name}, dataBase64 = ${readFile(name)} };\n`
  }
  return `var files = new List<object>();
foreach (var name in new[] { ${names.map(name => JSON.stringify(name)).join(', ')} })
{
    files.Add(new { name, dataBase64 = ${readFile('name')} });
}
`
}

function writeText(value: unknown): string {
  const text = plainText(value)
  return text === undefined ? writeRaw(value) : encodeJson(text)
}

/**
 * A raw string suits JSON of an object or array, which never begins or ends with a quote and never contains three in a
 * row.
 */
function writeRaw(value: unknown): string {
  return `"""${encodeJson(value)}"""`
}

/** Returns JSON that is also a C# string. JSON allows two line separators unescaped that would end a C# string. */
function encodeJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
}

function writeSending({ url, responseName }: SampleRequest, content: string): string {
  return `using var response = await client.PostAsync(${JSON.stringify(url)}, ${content});
var result = await response.Content.ReadAsByteArrayAsync();
if (!response.IsSuccessStatusCode)
{
    Console.Error.WriteLine($"{(int)response.StatusCode} {Encoding.UTF8.GetString(result)}");
    return 1;
}
await File.WriteAllBytesAsync(${JSON.stringify(responseName)}, result);
Console.WriteLine(string.Join("", response.Headers.GetValues("x-credit-balance")) + " credits left");
return 0;`
}
