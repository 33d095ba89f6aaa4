"""Every function of ``pyspark.sql.functions`` of 4.3: its kind and its declared signature. Data, not meaning.

``tests/tables/test_spark_functions.py`` measures each entry again on the installed Spark.
"""

from __future__ import annotations

# ruff: noqa: E501
# A kind is the worst that any way of calling the function showed.
BY_KIND: dict[str, str] = {
    "row": """
        abs(col) acos(col) acosh(col) add_months(start, months)
        aes_decrypt(input, key, mode=None, padding=None, aad=None) aggregate(col, initialValue, merge, finish=None)
        array(*cols) array_append(col, value) array_compact(col) array_contains(col, value) array_distinct(col)
        array_except(col1, col2) array_insert(arr, pos, value) array_intersect(col1, col2)
        array_join(col, delimiter, null_replacement=None) array_max(col) array_min(col) array_position(col, value)
        array_prepend(col, value) array_remove(col, element) array_repeat(col, count) array_size(col)
        array_sort(col, comparator=None) array_union(col1, col2) arrays_overlap(a1, a2) arrays_zip(*cols) ascii(col)
        asin(col) asinh(col) atan(col) atan2(col1, col2) atanh(col) base64(col) bin(col) bit_count(col)
        bit_get(col, pos) bit_length(col) bitmap_bit_position(col) bitmap_bucket_number(col) bitmap_count(col)
        bitwiseNOT(col) bitwise_not(col) bround(col, scale=None) btrim(str, trim=None) cardinality(col) cbrt(col)
        ceil(col, scale=None) ceiling(col, scale=None) char(col) char_length(str) character_length(str) chr(n)
        coalesce(*cols) collate(col, collation) collation(col) concat(*cols) concat_ws(sep, *cols)
        contains(left, right) conv(col, fromBase, toBase) convert_timezone(sourceTz, targetTz, sourceTs) cos(col)
        cosh(col) cot(col) crc32(col) create_map(*cols) csc(col) date_add(start, days) date_diff(end, start)
        date_format(date, format) date_from_unix_date(days) date_part(field, source) date_sub(start, days)
        date_trunc(format, timestamp) dateadd(start, days) datediff(end, start) datepart(field, source) day(col)
        dayname(col) dayofmonth(col) dayofweek(col) dayofyear(col) decode(col, charset) degrees(col) e()
        element_at(col, extraction) elt(*inputs) encode(col, charset) endswith(str, suffix) equal_null(col1, col2)
        exists(col, f) exp(col) expm1(col) extract(field, source) factorial(col) filter(col, f)
        find_in_set(str, str_array) flatten(col) floor(col, scale=None) forall(col, f) format_number(col, d)
        format_string(format, *cols) from_base32(col) from_csv(col, schema, options=None)
        from_json(col, schema, options=None) from_unixtime(timestamp, format='yyyy-MM-dd HH:mm:ss')
        from_utc_timestamp(timestamp, tz) from_xml(col, schema, options=None) get(col, index)
        get_json_object(col, path) getbit(col, pos) greatest(*cols) hash(*cols) hex(col)
        hmac(key, message, algorithm=None) hour(col) hypot(col1, col2) ifnull(col1, col2)
        ilike(str, pattern, escapeChar=None) initcap(col) instr(str, substr, start=None, occurrence=None)
        is_valid_utf8(str) is_valid_variant(v) is_variant_null(v) isnan(col) isnotnull(col) isnull(col)
        jaro_winkler_similarity(left, right) json_array_length(col) json_object_keys(col) last_day(date) lcase(str)
        least(*cols) left(str, len) length(col) levenshtein(left, right, threshold=None)
        like(str, pattern, escapeChar=None) ln(col) locate(substr, str, pos=1) log(arg1, arg2=None) log10(col)
        log1p(col) log2(col) lower(col) lpad(col, len, pad) ltrim(col, trim=None) make_date(year, month, day)
        make_dt_interval(days=None, hours=None, mins=None, secs=None)
        make_interval(years=None, months=None, weeks=None, days=None, hours=None, mins=None, secs=None)
        make_time(hour, minute, second)
        make_timestamp(years=None, months=None, days=None, hours=None, mins=None, secs=None, timezone=None, date=None, time=None)
        make_timestamp_ltz(years, months, days, hours, mins, secs, timezone=None)
        make_timestamp_ntz(years=None, months=None, days=None, hours=None, mins=None, secs=None, date=None, time=None)
        make_valid_utf8(str) make_ym_interval(years=None, months=None) map_concat(*cols)
        map_contains_key(col, value) map_entries(col) map_filter(col, f) map_from_arrays(col1, col2)
        map_from_entries(col) map_keys(col) map_values(col) map_zip_with(col1, col2, f)
        mask(col, upperChar=None, lowerChar=None, digitChar=None, otherChar=None) md5(col) minute(col) month(col)
        monthname(col) months_between(date1, date2, roundOff=True) named_struct(*cols) nanvl(col1, col2) negate(col)
        negative(col) next_day(date, dayOfWeek) nullif(col1, col2) nullifzero(col) nvl(col1, col2)
        nvl2(col1, col2, col3) octet_length(col) overlay(src, replace, pos, len=-1) parse_json(col)
        parse_url(url, partToExtract, key=None) pi() pmod(dividend, divisor) position(substr, str, start=None)
        positive(col) pow(col1, col2) power(col1, col2) printf(format, *cols) quarter(col) quote(col) radians(col)
        reduce(col, initialValue, merge, finish=None) regexp(str, regexp) regexp_count(str, regexp)
        regexp_extract(str, pattern, idx) regexp_extract_all(str, regexp, idx=None)
        regexp_instr(str, regexp, idx=None) regexp_like(str, regexp)
        regexp_replace(string, pattern, replacement, position=None) regexp_substr(str, regexp) repeat(col, n)
        replace(src, search, replace=None) reverse(col) right(str, len) rint(col) rlike(str, regexp)
        round(col, scale=None) rpad(col, len, pad) rtrim(col, trim=None) schema_of_csv(csv, options=None)
        schema_of_json(json, options=None) schema_of_variant(v) schema_of_xml(xml, options=None) sec(col)
        second(col) sentences(string, language=None, country=None) sequence(start, stop, step=None) sha(col)
        sha1(col) sha2(col, numBits) shiftLeft(col, numBits) shiftRight(col, numBits)
        shiftRightUnsigned(col, numBits) shiftleft(col, numBits) shiftright(col, numBits)
        shiftrightunsigned(col, numBits) sign(col) signum(col) sin(col) sinh(col) size(col) slice(x, start, length)
        sort_array(col, asc=True) soundex(col) split(str, pattern, limit=-1) split_part(src, delimiter, partNum)
        sqrt(col) st_asbinary(geo, endianness=None) st_geogfromwkb(wkb) st_geomfromwkb(wkb, srid=None)
        st_setsrid(geo, srid) st_srid(geo) startswith(str, prefix)
        str_to_map(text, pairDelim=None, keyValueDelim=None) struct(*cols) substr(str, pos, len=None)
        substring(str, pos, len) substring_index(str, delim, count) tan(col) tanh(col)
        time_bucket(bucket_size, ts, origin=None) time_diff(unit, start, end) time_from_micros(col)
        time_from_millis(col) time_from_seconds(col) time_to_micros(col) time_to_millis(col) time_to_seconds(col)
        time_trunc(unit, time) timestamp_add(unit, quantity, ts) timestamp_diff(unit, start, end)
        timestamp_micros(col) timestamp_millis(col) timestamp_nanos(col) timestamp_seconds(col) toDegrees(col)
        toRadians(col) to_base32(col) to_binary(col, format=None) to_char(col, format) to_csv(col, options=None)
        to_date(col, format=None) to_json(col, options=None) to_number(col, format) to_time(str, format=None)
        to_timestamp(col, format=None) to_timestamp_ltz(timestamp, format=None)
        to_timestamp_ntz(timestamp, format=None) to_unix_timestamp(timestamp, format=None)
        to_utc_timestamp(timestamp, tz) to_varchar(col, format) to_variant_object(col) to_xml(col, options=None)
        transform(col, f) transform_keys(col, f) transform_values(col, f) translate(srcCol, matching, replace)
        trim(col, trim=None) trunc(date, format) try_add(left, right)
        try_aes_decrypt(input, key, mode=None, padding=None, aad=None) try_divide(left, right)
        try_element_at(col, extraction)
        try_make_interval(years=None, months=None, weeks=None, days=None, hours=None, mins=None, secs=None)
        try_make_timestamp(years=None, months=None, days=None, hours=None, mins=None, secs=None, timezone=None, date=None, time=None)
        try_make_timestamp_ltz(years, months, days, hours, mins, secs, timezone=None)
        try_make_timestamp_ntz(years=None, months=None, days=None, hours=None, mins=None, secs=None, date=None, time=None)
        try_mod(left, right) try_multiply(left, right) try_parse_json(col)
        try_parse_url(url, partToExtract, key=None) try_subtract(left, right) try_to_binary(col, format=None)
        try_to_date(col, format=None) try_to_number(col, format) try_to_time(str, format=None)
        try_to_timestamp(col, format=None) try_url_decode(str) try_validate_utf8(str)
        try_variant_array_append(v, path, value) try_variant_get(v, path, targetType)
        try_variant_insert(v, path, value) try_variant_set(v, path, value, create_if_missing=True) typeof(col)
        ucase(str) unbase64(col) unhex(col) unix_date(col) unix_micros(col) unix_millis(col) unix_nanos(col)
        unix_seconds(col) upper(col) url_decode(str) url_encode(str) validate_utf8(str)
        variant_array_append(v, path, value) variant_delete(v, *paths) variant_get(v, path, targetType)
        variant_insert(v, path, value) variant_set(v, path, value, create_if_missing=True)
        variant_strip_nulls(v, include_arrays=True) vector_cosine_similarity(left, right)
        vector_inner_product(left, right) vector_l2_distance(left, right) vector_norm(vector, degree=None)
        vector_normalize(vector, degree=None) version() weekday(col) weekofyear(col) when(condition, value)
        width_bucket(v, min, max, numBucket) xpath(xml, path) xpath_boolean(xml, path) xpath_double(xml, path)
        xpath_float(xml, path) xpath_int(xml, path) xpath_long(xml, path) xpath_number(xml, path)
        xpath_short(xml, path) xpath_string(xml, path) xxhash64(*cols) year(col) zeroifnull(col)
        zip_with(left, right, f)
    """,
    "column": """
        col(col) column(col) lit(col)
    """,
    "text": """
        expr(str)
    """,
    "aggregate": """
        any_value(col, ignoreNulls=None) approxCountDistinct(col, rsd=None) approx_count_distinct(col, rsd=None)
        approx_percentile(col, percentage, accuracy=10000) array_agg(col) avg(col) bit_and(col) bit_or(col)
        bit_xor(col) bitmap_and_agg(col) bitmap_construct_agg(col) bitmap_or_agg(col) bool_and(col) bool_or(col)
        collect_list(col) collect_set(col) collect_union(col) corr(col1, col2) count(col) countDistinct(col, *cols)
        count_distinct(col, *cols) count_if(col) count_min_sketch(col, eps, confidence, seed=None)
        covar_pop(col1, col2) covar_samp(col1, col2) every(col) first(col, ignorenulls=False)
        first_value(col, ignoreNulls=None) grouping(col) grouping_id(*cols) histogram_numeric(col, nBins)
        hll_sketch_agg(col, lgConfigK=None) hll_union_agg(col, allowDifferentLgConfigK=None)
        kll_merge_agg_bigint(col, k=None) kll_merge_agg_double(col, k=None) kll_merge_agg_float(col, k=None)
        kll_sketch_agg_bigint(col, k=None) kll_sketch_agg_double(col, k=None) kll_sketch_agg_float(col, k=None)
        kurtosis(col) last(col, ignorenulls=False) last_value(col, ignoreNulls=None) listagg(col, delimiter=None)
        listagg_distinct(col, delimiter=None) max(col) max_by(col, ord, k=None) mean(col) median(col) min(col)
        min_by(col, ord, k=None) mode(col, deterministic=False) percentile(col, percentage, frequency=1)
        percentile_approx(col, percentage, accuracy=10000) product(col) regr_avgx(y, x) regr_avgy(y, x)
        regr_count(y, x) regr_intercept(y, x) regr_r2(y, x) regr_slope(y, x) regr_sxx(y, x) regr_sxy(y, x)
        regr_syy(y, x) schema_of_variant_agg(v) skewness(col) some(col) std(col) stddev(col) stddev_pop(col)
        stddev_samp(col) string_agg(col, delimiter=None) string_agg_distinct(col, delimiter=None) sum(col)
        sumDistinct(col) sum_distinct(col) theta_intersection_agg(col) theta_sketch_agg(col, lgNomEntries=None)
        theta_union_agg(col, lgNomEntries=None) try_avg(col) try_sum(col)
        tuple_intersection_agg_double(col, mode=None) tuple_intersection_agg_integer(col, mode=None)
        tuple_sketch_agg_double(key, summary, lgNomEntries=None, mode=None)
        tuple_sketch_agg_integer(key, summary, lgNomEntries=None, mode=None)
        tuple_union_agg_double(col, lgNomEntries=None, mode=None)
        tuple_union_agg_integer(col, lgNomEntries=None, mode=None) var_pop(col) var_samp(col) variance(col)
        vector_avg(col) vector_sum(col)
    """,
    "window": """
        counter_diff(value, startTime=None) cume_dist() dense_rank() lag(col, offset=1, default=None)
        lead(col, offset=1, default=None) nth_value(col, offset, ignoreNulls=False) ntile(n) percent_rank() rank()
        row_number()
    """,
    "generator": """
        explode(col) explode_outer(col) inline(col) inline_outer(col) json_tuple(col, *fields) posexplode(col)
        posexplode_outer(col) stack(*cols)
    """,
    "rows": """
        session_window(timeColumn, gapDuration)
        window(timeColumn, windowDuration, slideDuration=None, startTime=None) window_time(windowColumn)
    """,
    "session": """
        curdate() current_catalog() current_database() current_date() current_path() current_schema()
        current_time(precision=None) current_timestamp() current_timezone() current_user() localtimestamp() now()
        session_user() unix_timestamp(timestamp=None, format='yyyy-MM-dd HH:mm:ss') user()
    """,
    "partition": """
        input_file_block_length() input_file_block_start() input_file_name() monotonically_increasing_id()
        spark_partition_id()
    """,
    "random": """
        aes_encrypt(input, key, mode=None, padding=None, iv=None, aad=None) java_method(*cols) rand(seed=None)
        randn(seed=None) random(seed=None) randstr(length, seed=None) reflect(*cols) shuffle(col, seed=None)
        try_reflect(*cols) uniform(min, max, seed=None) uuid(seed=None)
    """,
    "foreign": """
        call_function(funcName, *cols) call_udf(udfName, *cols)
    """,
    "raises": """
        assert_true(col, errMsg=None) hll_sketch_estimate(col) hll_union(col1, col2, allowDifferentLgConfigK=None)
        kll_sketch_get_n_bigint(col) kll_sketch_get_n_double(col) kll_sketch_get_n_float(col)
        kll_sketch_get_quantile_bigint(sketch, rank) kll_sketch_get_quantile_double(sketch, rank)
        kll_sketch_get_quantile_float(sketch, rank) kll_sketch_get_rank_bigint(sketch, quantile)
        kll_sketch_get_rank_double(sketch, quantile) kll_sketch_get_rank_float(sketch, quantile)
        kll_sketch_merge_bigint(left, right) kll_sketch_merge_double(left, right)
        kll_sketch_merge_float(left, right) kll_sketch_to_string_bigint(col) kll_sketch_to_string_double(col)
        kll_sketch_to_string_float(col) raise_error(errMsg) theta_difference(col1, col2)
        theta_intersection(col1, col2) theta_sketch_estimate(col) theta_union(col1, col2, lgNomEntries=None)
        tuple_difference_double(col1, col2) tuple_difference_integer(col1, col2)
        tuple_difference_theta_double(col1, col2) tuple_difference_theta_integer(col1, col2)
        tuple_intersection_double(col1, col2, mode=None) tuple_intersection_integer(col1, col2, mode=None)
        tuple_intersection_theta_double(col1, col2, mode=None)
        tuple_intersection_theta_integer(col1, col2, mode=None) tuple_sketch_estimate_double(col)
        tuple_sketch_estimate_integer(col) tuple_sketch_summary_double(col, mode=None)
        tuple_sketch_summary_integer(col, mode=None) tuple_sketch_theta_double(col) tuple_sketch_theta_integer(col)
        tuple_union_double(col1, col2, lgNomEntries=None, mode=None)
        tuple_union_integer(col1, col2, lgNomEntries=None, mode=None)
        tuple_union_theta_double(col1, col2, lgNomEntries=None, mode=None)
        tuple_union_theta_integer(col1, col2, lgNomEntries=None, mode=None)
    """,
    "unmeasured": """
        unwrap_udt(col)
    """,
    "order": """
        asc(col) asc_nulls_first(col) asc_nulls_last(col) desc(col) desc_nulls_first(col) desc_nulls_last(col)
    """,
    "partitioning": """
        bucket(numBuckets, col) days(col) hours(col) months(col) years(col)
    """,
    "udf": """
        arrow_udf(f=None, returnType=None, functionType=None) arrow_udtf(cls=None, *, returnType=None)
        pandas_udf(f=None, returnType=None, functionType=None) udf(f=None, returnType=None, *, useArrow=None)
        udtf(cls=None, *, returnType=None, useArrow=None)
    """,
    "frame": """
        broadcast(df)
    """,
}
