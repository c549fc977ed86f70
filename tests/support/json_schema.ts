import addFormats from "ajv-formats";
import { Ajv2020, type Options } from "ajv/dist/2020.js";

/** A validator of JSON Schema 2020-12, including formats. */
export function schemaValidator(options: Options = {}): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true, ...options });
  addFormats.default(ajv);
  return ajv;
}
