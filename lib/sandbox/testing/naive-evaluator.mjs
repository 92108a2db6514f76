// Evaluates its argument the way this project never does, to show that the payloads work.
const source = process.argv[2];
const $host = (value) => value;
const $nodes = {};
const show = (value) => {
  try {
    return `${String(value)} ${JSON.stringify(value)}`;
  } catch {
    return "";
  }
};
try {
  const value = new Function("$host", "$nodes", "require", `return (${source}\n)`)(
    $host,
    $nodes,
    process.getBuiltinModule("module").createRequire("/"),
  );
  process.stdout.write(show(await value));
  if (typeof value === "function") process.stdout.write(show(value()));
} catch (error) {
  process.stdout.write(show(error));
}
if (typeof pwned !== "undefined" || {}.polluted !== undefined) process.stdout.write(" state changed");
