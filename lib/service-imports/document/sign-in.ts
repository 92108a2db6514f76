import type { CredentialKind } from "#lib/services/model/service.ts";
import { type Document, type Found, isObject, textOf } from "./references.ts";

const kindsMax = 10;

/** The document's security schemes as kinds of credentials; those that no credential can be are left out. */
export function credentialKinds(document: Document): CredentialKind[] {
  const components = document.meant(document.root.components) ?? {};
  const schemes = document.meant(components.securitySchemes) ?? {};
  const kinds = Object.values(schemes).flatMap((scheme) => kindOf(document, document.meant(scheme) ?? {}) ?? []);
  return kinds.slice(0, kindsMax);
}

function kindOf(document: Document, scheme: Found): CredentialKind | null {
  const described = textOf(scheme.description, 300);
  const help = (otherwise: string) => (described === "" ? otherwise : described);
  const type = textOf(scheme.type, 50);
  const name = textOf(scheme.name, 200);
  if (type === "http" && textOf(scheme.scheme, 50).toLowerCase() === "basic") {
    return { type: "basic", help: help("A user name and a password.") };
  }
  if (type === "http") return { type: "bearer", help: help("A token.") };
  if (type === "openIdConnect") return { type: "bearer", help: help("An access token.") };
  if (type === "apiKey" && (scheme.in === "header" || scheme.in === "query") && name !== "") {
    return { type: scheme.in, name, help: help("An API key, as the value.") };
  }
  if (type !== "oauth2") return null;
  const flows = document.meant(scheme.flows) ?? {};
  const flow = document.meant(flows.authorizationCode) ?? document.meant(flows.clientCredentials);
  if (flow === null) return { type: "bearer", help: help("An access token.") };
  const scopes = isObject(flow.scopes) ? Object.keys(flow.scopes) : [];
  const [authorizationUrl, tokenUrl] = [textOf(flow.authorizationUrl, 2_000), textOf(flow.tokenUrl, 2_000)];
  return {
    type: "oauth2",
    help: help("An application of yours."),
    ...(authorizationUrl === "" ? {} : { authorizationUrl }),
    ...(tokenUrl === "" ? {} : { tokenUrl }),
    ...(scopes.length === 0 ? {} : { scopes: textOf(scopes.join(" "), 2_000) }),
  };
}
