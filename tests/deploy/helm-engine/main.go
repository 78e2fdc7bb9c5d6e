// Renders a chart like `helm template`, for machines without helm: with the template engine of Go and the functions of
// Sprig, the two libraries that helm renders with, and those functions of helm itself that the chart uses.
//
// Arguments: the folder of the chart, the namespace, files with values.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

type object = map[string]interface{}

func main() {
	log.SetFlags(0)
	if err := render(os.Args[1], os.Args[2], os.Args[3:]); err != nil {
		log.Fatal(err)
	}
}

func render(chart, namespace string, valueFiles []string) error {
	values, err := readObject(filepath.Join(chart, "values.yaml"))
	if err != nil {
		return err
	}
	for _, file := range valueFiles {
		changes, err := readObject(file)
		if err != nil {
			return err
		}
		merge(values, changes)
	}
	about, err := readObject(filepath.Join(chart, "Chart.yaml"))
	if err != nil {
		return err
	}
	data := object{
		"Values":  values,
		"Chart":   object{"Name": about["name"], "Version": about["version"], "AppVersion": about["appVersion"]},
		"Release": object{"Name": about["name"], "Namespace": namespace, "Service": "Helm"},
	}
	return renderFiles(chart, data)
}

func renderFiles(chart string, data object) error {
	files, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	if err != nil {
		return err
	}
	all := template.New("chart").Option("missingkey=zero")
	all.Funcs(sprig.TxtFuncMap()).Funcs(functions(all))
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if _, err := all.New(filepath.Base(file)).Parse(string(text)); err != nil {
			return err
		}
	}
	for _, file := range files {
		name := filepath.Base(file)
		var text bytes.Buffer
		if strings.HasPrefix(name, "_") {
			continue
		}
		if err := all.ExecuteTemplate(&text, name, data); err != nil {
			return err
		}
		// As helm does: the notes are no resource, and a missing value is empty.
		if name != "NOTES.txt" {
			fmt.Printf("---\n# Source: %s\n%s\n", name, strings.ReplaceAll(text.String(), "<no value>", ""))
		}
	}
	return nil
}

// The functions that helm adds to those of Sprig.
func functions(all *template.Template) template.FuncMap {
	return template.FuncMap{
		"include": func(name string, data interface{}) (string, error) {
			var text strings.Builder
			err := all.ExecuteTemplate(&text, name, data)
			return text.String(), err
		},
		"required": func(message string, value interface{}) (interface{}, error) {
			if value == nil || value == "" {
				return nil, errors.New(message)
			}
			return value, nil
		},
		"toYaml": func(value interface{}) (string, error) {
			text, err := yaml.Marshal(value)
			return strings.TrimSuffix(string(text), "\n"), err
		},
		"fromYaml": func(text string) (object, error) {
			value := object{}
			err := yaml.Unmarshal([]byte(text), &value)
			return value, err
		},
	}
}

func readObject(file string) (object, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	value := object{}
	return value, yaml.UnmarshalStrict(text, &value)
}

// Maps are merged, other values are replaced, and null removes a value.
func merge(values, changes object) {
	for key, change := range changes {
		inner, isMap := change.(object)
		current, wasMap := values[key].(object)
		switch {
		case change == nil:
			delete(values, key)
		case isMap && wasMap:
			merge(current, inner)
		default:
			values[key] = change
		}
	}
}
