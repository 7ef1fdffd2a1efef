import { KEY_VARIABLE, plainText, type SampleLanguage, type SampleRequest } from './request'

/** Go 1.18 or later, without packages. */
export const go: SampleLanguage = {
  id: 'go',
  name: 'Go',
  writeForm(request) {
    const { files, values } = request
    const fields = Object.entries(values).map(
      ([name, value]) => `\tcheck(form.WriteField(${JSON.stringify(name)}, ${writeText(value)}))\n`,
    )
    return `${writeImports(['bytes', 'fmt', 'io', 'log', 'mime/multipart', 'net/http', 'os'])}
func main() {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
${files ? writeFileParts(files) : ''}${fields.join('')}	check(form.Close())
${writeSending(request, '&body', 'form.FormDataContentType()')}`
  },
  writeJson(request) {
    const { files, values } = request
    if (!files) {
      return `${writeImports(['fmt', 'io', 'log', 'net/http', 'os', 'strings'])}
func main() {
	body := ${writeRaw(JSON.stringify(values, null, 2))}
${writeSending(request, 'strings.NewReader(body)', '"application/json"')}`
    }
    const entries = Object.entries(values).map(
      ([name, value]) => `\t\t${JSON.stringify(name)}: json.RawMessage(${writeRaw(JSON.stringify(value))}),\n`,
    )
    return `${writeImports(['bytes', 'encoding/base64', 'encoding/json', 'fmt', 'io', 'log', 'net/http', 'os'])}
func main() {
${writeFileInputs(files)}	body, err := json.Marshal(map[string]any{
		${JSON.stringify(files.field)}: ${files.names.length > 1 ? 'files' : 'file'},
${entries.join('')}	})
	check(err)
${writeSending(request, 'bytes.NewReader(body)', '"application/json"')}`
  },
}

function writeImports(packages: string[]): string {
  return `package main\n\nimport (\n${packages.map(name => `\t"${name}"\n`).join('')})\n`
}

function writeFileParts({ field, names }: { field: string; names: string[] }): string {
  return `	for _, name := range []string{${names.map(name => JSON.stringify(name)).join(', ')}} {
		file, err := os.ReadFile(name)
		check(err)
		part, err := form.CreateFormFile(${JSON.stringify(field)}, name)
		check(err)
		_, err = part.Write(file)
		check(err)
	}
`
}

function writeFileInputs({ names }: { names: string[] }): string {
  if (names.length === 1) {
    const name = JSON.stringify(names[0])
    return `	bytesOfFile, err := os.ReadFile(${name})
	check(err)
	file := map[string]string{"name": ${name}, "dataBase64": base64.StdEncoding.EncodeToString(bytesOfFile)}
`
  }
  return `	var files []map[string]string
	for _, name := range []string{${names.map(name => JSON.stringify(name)).join(', ')}} {
		file, err := os.ReadFile(name)
		check(err)
		files = append(files, map[string]string{"name": name, "dataBase64": base64.StdEncoding.EncodeToString(file)})
	}
`
}

function writeText(value: unknown): string {
  const text = plainText(value)
  return text === undefined ? writeRaw(JSON.stringify(value)) : JSON.stringify(text)
}

/** Returns JSON in a raw string, which can't contain backticks or carriage returns. */
function writeRaw(json: string): string {
  return /[`\r]/.test(json) ? JSON.stringify(json) : `\`${json}\``
}

function writeSending({ url, apiKey, responseName }: SampleRequest, body: string, type: string): string {
  const key = apiKey === undefined ? `os.Getenv("${KEY_VARIABLE}")` : JSON.stringify(apiKey)
  return `
	request, err := http.NewRequest("POST", ${JSON.stringify(url)}, ${body})
	check(err)
	request.Header.Set("x-api-key", ${key})
	request.Header.Set("content-type", ${type})
	response, err := http.DefaultClient.Do(request)
	check(err)
	defer response.Body.Close()
	result, err := io.ReadAll(response.Body)
	check(err)
	if response.StatusCode != http.StatusOK {
		log.Fatalf("%s %s", response.Status, result)
	}
	check(os.WriteFile(${JSON.stringify(responseName)}, result, 0o644))
	fmt.Println(response.Header.Get("x-credit-balance"), "credits left")
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}`
}
