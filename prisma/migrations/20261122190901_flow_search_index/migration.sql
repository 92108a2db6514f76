-- By itself: while it is built, flows can be read. Every search reads the whole list of what is not sorted in yet: it stays
-- short.
CREATE INDEX "flow_search_idx" ON "flow" USING gin (search_grams("search_text")) WITH (gin_pending_list_limit = 256);
