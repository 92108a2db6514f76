-- What a search compares: small letters, without accents, full-width letters as plain ones. Needs no extension.
CREATE FUNCTION "search_fold"("given" text) RETURNS text IMMUTABLE STRICT PARALLEL SAFE LANGUAGE sql
RETURN lower(regexp_replace(normalize("given", NFKD), '[\u0300-\u036F]', '', 'g'));

-- Every three neighbouring characters of a text. Of two, those that are more than ASCII: two letters are seldom enough
-- to find anything by, two signs of Chinese or Japanese are a word.
CREATE FUNCTION "search_grams"("folded" text) RETURNS text[] IMMUTABLE STRICT PARALLEL SAFE LANGUAGE sql
RETURN ARRAY(
  SELECT "gram" FROM (
    SELECT "letter" || lead("letter") OVER "on" AS "two",
      "letter" || lead("letter") OVER "on" || lead("letter", 2) OVER "on" AS "three"
    FROM string_to_table("folded", NULL) WITH ORDINALITY AS "letters"("letter", "place")
    WINDOW "on" AS (ORDER BY "place")) AS "neighbours"
  CROSS JOIN LATERAL (VALUES (CASE WHEN octet_length("two") > 2 THEN "two" END), ("three")) AS "grams"("gram")
  WHERE "gram" IS NOT NULL);

-- Writes the table anew: nothing reads or writes flows meanwhile. The index, which takes longer, is a migration of its own.
ALTER TABLE "flow" ADD COLUMN "search_text" TEXT
  GENERATED ALWAYS AS (search_fold("name" || E'\n' || coalesce("description", ''))) STORED;
