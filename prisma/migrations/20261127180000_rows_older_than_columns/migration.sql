-- Rows that were in a table before an indexed column was added had no entry in its index, so that no search by it found
-- them. Like any row without a value, they get the entry that sorts last.
INSERT INTO table_key (table_id, column_id, key, row_id, is_unique)
SELECT t.id, (c ->> 'id')::int, '1', r.id, false
FROM data_table t
CROSS JOIN LATERAL jsonb_array_elements(t.columns::jsonb) AS c
JOIN table_row r ON r.table_id = t.id
WHERE (c ->> 'indexed')::boolean AND NOT r.cells ? (c ->> 'id')
ON CONFLICT DO NOTHING;
